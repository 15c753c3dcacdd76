import { dayMs } from '@overture/ground/time/spans.ts'
import { listCampaignsById } from '../../campaigns/index.ts'
import { loadContactBook } from '../../contact-policy/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { assertBudgetsHold } from '../../sending-accounts/index.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { openSenders } from '@overture/planner/pacing.ts'
import { countClaims, type Lease } from './claims.sql.ts'
import {
  claimDirectMessages,
  countDirectToday,
  findNextDirect,
  lockDirectMessages,
  postponeDirectMessage,
  updateDirectFailed,
  updateRecipients,
} from './direct.sql.ts'
import { checkRecipients, isPlanned, planDirect, type CheckedRecipients, type DirectRow } from './direct.ts'
import { recipientEmails, recipientCount } from './recipients.ts'
import { loadSenders } from './senders.sql.ts'
import { listWriters } from './writers.sql.ts'

const directMax = 100

interface DirectWrite {
  lease: Lease
  secrets: AddressHashes
  now: Date
}

/**
 * Claims the due messages that the planner does not hold: people's replies, send-now and notices. Send-now and follow-ups to a lead
 * that never wrote skip wait and window, but not the sender's daily cap. Replies and notices count towards that cap, and
 * have their own daily limit of recipients (docs/contract.md, "Recipients").
 */
export async function claimDueDirect(
  tx: Transaction,
  tenant: Tenant,
  { lease, secrets, now }: DirectWrite,
): Promise<{ claimed: number; nextAt: Date | null }> {
  const nextAt = await findNextDirect(tx, tenant)
  if (nextAt === null || nextAt > now) return { claimed: 0, nextAt }
  const due = await lockDirectMessages(tx, tenant, { now, limit: directMax })
  if (due.length === 0) return { claimed: 0, nextAt }
  const checked = await loadRecipients(tx, tenant, due, secrets)
  const { claims, postponed } = planDirect(
    checked.kept,
    await loadLimits(tx, tenant, { rows: checked.kept, secrets, now }),
  )
  for (const { id, refused } of checked.failed) {
    const failure = { type: 'suppressed', refusedRecipients: refused }
    await updateDirectFailed(tx, tenant, { id, failure })
  }
  for (const change of checked.changed) await updateRecipients(tx, tenant, change)
  for (const message of postponed) await postponeDirectMessage(tx, tenant, message)
  const hashed = claims.map((claim) => ({
    ...claim,
    addressHash: claim.contact && secrets.addressHash(claim.contact.person),
  }))
  const claimed = await claimDirectMessages(tx, tenant, hashed, { ...lease, now })
  const counted = claims.filter(({ row }) => claimed.has(row.id)).map(({ row, counted }) => ({ ...row, counted }))
  await countClaims(tx, tenant, counted, 1)
  await assertBudgetsHold(
    tx,
    tenant,
    // A message to several recipients may have more than a budget allows, so its place was checked before.
    counted.map((message) => ({ ...message, isHeld: isPlanned(message) && recipientCount(message) <= 1 })),
  )
  return { claimed: claimed.size, nextAt: await findNextDirect(tx, tenant) }
}

async function loadRecipients(
  tx: Transaction,
  tenant: Tenant,
  rows: readonly DirectRow[],
  secrets: AddressHashes,
): Promise<CheckedRecipients> {
  const suppressed = await findSuppressed(tx, tenant, { secrets, emails: [...new Set(rows.flatMap(recipientEmails))] })
  const suppressedAt = new Map([...suppressed].map(([email, { askedAt }]) => [email, askedAt]))
  const threadIds = suppressed.size === 0 ? [] : rows.flatMap(({ threadId }) => threadId ?? [])
  const writers = await listWriters(tx, tenant, [...new Set(threadIds)])
  return checkRecipients(rows, { suppressedAt, writers })
}

async function loadLimits(
  tx: Transaction,
  tenant: Tenant,
  { rows, secrets, now }: { rows: readonly DirectRow[]; secrets: AddressHashes; now: Date },
) {
  const senders = await loadSenders(tx, tenant, [...new Set(rows.map((row) => row.sendingAccountId))], now)
  const budgets = new Map(openSenders(senders, now.getTime()).map((budget) => [budget.sender.id, budget]))
  const since = [...budgets].map(([id, { nextDayMs }]) => ({ id, since: new Date(nextDayMs - dayMs) }))
  const counts = await countDirectToday(tx, tenant, since)
  const ids = rows.flatMap(({ kind, campaignId }) => (kind === 'campaign' && campaignId !== null ? [campaignId] : []))
  const campaigns = await listCampaignsById(tx, tenant, [...new Set(ids)])
  const leads = rows.flatMap(({ kind, leadEmail: email, emailDomain, companyDomain }) =>
    kind === 'campaign' && email !== null ? [{ email, emailDomain: emailDomain ?? '', companyDomain }] : [],
  )
  const contacts = leads.length === 0 ? null : await loadContactBook(tx, tenant, { secrets, leads })
  // Only the day of the schedule's zone is asked for, and holidays don't change it.
  const schedules = new Map(
    campaigns.map(({ id, status, schedule }) => [id, { status, schedule: { ...schedule, holidays: null } }]),
  )
  return { now, budgets, counts, schedules, contacts }
}
