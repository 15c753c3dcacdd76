import { profileFields, type LeadInput } from '@overture/contract/campaigns/lead-fields.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { JobContext } from '../../platform/jobs/job.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { listLeadsToCopy, type LeadToCopy } from './copied-leads.sql.ts'
import { addLeads } from './leads.commands.ts'

const batchMax = 1_000
export const copyLeadsKind = 'campaigns.copy_leads'

interface LeadsCopy {
  fromId: string
  toId: string
  secrets: AddressHashes
  now: Date
}

/** Copies the first batch at once and the others in a job. Leads that are added to the original later are not copied. */
export async function beginCopyingLeads(tx: Transaction, tenant: Tenant, copy: LeadsCopy): Promise<void> {
  const { fromId, toId, now } = copy
  const until = newId('led')
  const after = await copyBatch(tx, tenant, { ...copy, after: '', until })
  if (after === null) return
  await enqueueJob(tx, { kind: copyLeadsKind, tenant, payload: { fromId, toId, after, until }, runAt: now, key: toId })
}

/** Copies the rest, one batch per transaction. If a batch runs twice, its leads are duplicates, which are skipped. */
export async function copyOtherLeads(context: JobContext, payload: Record<string, unknown>): Promise<void> {
  const { app, tenant, now, signal } = context
  const [fromId, toId, until] = [String(payload['fromId']), String(payload['toId']), String(payload['until'])]
  const of = { fromId, toId, secrets: app.secrets, now, until }
  for (let after: string | null = String(payload['after']); after !== null;) {
    signal.throwIfAborted()
    const from: string = after
    const copying = app.db.transaction<string | null>((tx) => copyBatch(tx, tenant, { ...of, after: from }))
    after = await copying.catch(endWhereGone)
  }
}

// Ends the job if the copy was deleted meanwhile.
function endWhereGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return null
  throw error
}

/** Returns the id of the last copied lead, or null if no more leads are left. */
async function copyBatch(
  tx: Transaction,
  tenant: Tenant,
  { fromId, toId, after, until, secrets, now }: LeadsCopy & { after: string; until: string },
): Promise<string | null> {
  const rows = await listLeadsToCopy(tx, tenant, { campaignId: fromId, after, until, limit: batchMax })
  const last = rows.at(-1)
  if (last === undefined) return null
  const input = { leads: rows.map(toInput), onDuplicate: 'skip' as const, skipIfInOtherCampaign: false }
  await addLeads(tx, tenant, { campaignId: toId, input, secrets, now })
  return rows.length < batchMax ? null : last.id
}

function toInput(row: LeadToCopy): LeadInput {
  const profile = Object.fromEntries(profileFields.map((name) => [name, row[name]]))
  return { ...row.extra, ...profile, email: row.emailGiven, customVariables: row.customVariables }
}
