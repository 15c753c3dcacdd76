import { normalizeEmail } from '@overture/contract/addresses.ts'
import { notFound } from '@overture/contract/errors.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { upsertAddressChecks } from './address-checks.sql.ts'
import { domainToAsk } from './address-rules.ts'
import { findNextDue, insertAddresses, postponeAddresses, updateResults } from './addresses.sql.ts'
import type { CheckedBatch } from './check-addresses.shell.ts'
import { countByResult } from './verdict.ts'
import type { VerificationTools } from './verification-tools.ts'
import {
  campaignExists,
  completeVerification,
  insertVerification,
  listLeadsToVerify,
  lockVerification,
  updateCounts,
  updateListed,
  type VerificationRow,
} from './verifications.sql.ts'

export const verifyJobKind = 'verifications.run'
/** Leads of a campaign that one transaction adds. */
const leadsAtOnce = 2_000

export async function createVerification(
  tx: Transaction,
  tenant: Tenant,
  { emails, campaignId, now }: { emails?: readonly string[]; campaignId?: string; now: Date },
): Promise<VerificationRow> {
  if (campaignId !== undefined && !(await campaignExists(tx, tenant, campaignId))) throw notFound()
  const id = newId('vrf')
  const addresses = [...new Set((emails ?? []).map(toStored))]
  const row = await insertVerification(tx, tenant, {
    id,
    campaignId: campaignId ?? null,
    listedAfter: campaignId === undefined ? null : '',
    total: addresses.length,
    now,
  })
  await insertAddresses(tx, tenant, { verificationId: id, emails: addresses, now })
  await enqueueVerification(tx, tenant, id, now)
  return row
}

/** A text that is not an address can't be normalized. */
function toStored(given: string): string {
  return domainToAsk(given) === null ? given : normalizeEmail(given).email
}

async function enqueueVerification(tx: Executor, tenant: Tenant, id: string, runAt: Date): Promise<void> {
  await enqueueJob(tx, { kind: verifyJobKind, tenant, payload: { id }, runAt, key: id })
}

/** Adds one page of the leads of a campaign to its verification. Returns whether there are more. */
export async function addLeadsOfCampaign(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const row = await lockVerification(tx, tenant, id)
  if (row === null || row.listedAfter === null || row.campaignId === null) return false
  const { campaignId, listedAfter } = row
  const leads = await listLeadsToVerify(tx, tenant, { campaignId, after: listedAfter, limit: leadsAtOnce })
  const emails = leads.map(({ email }) => email)
  const added = emails.length === 0 ? 0 : await insertAddresses(tx, tenant, { verificationId: id, emails, now })
  const last = leads.length < leadsAtOnce ? null : (leads.at(-1)?.id ?? null)
  await updateListed(tx, tenant, { id, listedAfter: last, added })
  return last !== null
}

interface StoredBatch {
  id: string
  batch: CheckedBatch
  now: Date
  tools: Pick<VerificationTools, 'checked'>
}

/**
 * Stores the results of a batch, and returns the credits that they cost. It ignores an address that was erased meanwhile, or that has a
 * result already.
 */
export async function storeBatch(
  tx: Transaction,
  tenant: Tenant,
  { id, batch, now, tools }: StoredBatch,
): Promise<number> {
  if ((await lockVerification(tx, tenant, id)) === null) return 0
  const stored = await updateResults(tx, tenant, { verificationId: id, checked: batch.checked })
  const checked = batch.checked.filter(({ email }) => stored.has(email))
  const credits = checked.reduce((sum, one) => sum + one.credits, 0)
  await upsertAddressChecks(
    tx,
    tenant,
    checked.filter(({ email }) => domainToAsk(email) !== null),
  )
  await updateCounts(tx, tenant, { id, counts: countByResult(checked), credits })
  if (checked.length > 0) await tools.checked(tx, tenant, { emails: [...stored], now })
  await postponeAddresses(tx, tenant, { verificationId: id, emails: batch.postponed, now })
  return credits
}

/** Completes the verification, or plans the job for the next address that is due. */
export async function endOrContinue(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const row = await lockVerification(tx, tenant, id)
  if (row?.status !== 'running') return
  const nextDue = await findNextDue(tx, tenant, id)
  if (row.listedAfter !== null || nextDue !== null) {
    await enqueueVerification(tx, tenant, id, nextDue !== null && nextDue > now ? nextDue : now)
    return
  }
  const done = await completeVerification(tx, tenant, { id, now })
  if (done === null) return
  const { total, deliverable, risky, undeliverable, unknown, creditsCharged } = done
  const data = { verificationId: id, total, deliverable, risky, undeliverable, unknown, creditsCharged }
  await appendEvents(tx, tenant, [
    { type: 'verification.completed', occurredAt: now, campaignId: done.campaignId, data },
  ])
}
