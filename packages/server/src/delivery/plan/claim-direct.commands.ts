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
import { checkRecipients, isPlanned, planDirect, type CheckedRecipients, type DirectLimits } from './direct.ts'
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
  write: DirectWrite,
): Promise<{ claimed: number; nextAt: Date | null }> {
  const { nextAt, due } = await readDueDirect(tx, tenant, write)
  if (due === null) return { claimed: 0, nextAt }
  const { kept, failed, changed, limits } = due
  const { claims, postponed } = planDirect(kept, limits)
  for (const { id, refused } of failed) {
    const failure = { type: 'suppressed', refusedRecipients: refused }
    await updateDirectFailed(tx, tenant, { id, failure })
  }
  for (const change of changed) await updateRecipients(tx, tenant, change)
  for (const message of postponed) await postponeDirectMessage(tx, tenant, message)
  const hashed = claims.map((claim) => ({
    ...claim,
    addressHash: claim.contact && write.secrets.addressHash(claim.contact.person),
  }))
  const claimed = await claimDirectMessages(tx, tenant, hashed, { ...write.lease, now: write.now })
  const nextAfterAt = await findNextDirect(tx, tenant)
  const counted = claims.filter(({ row }) => claimed.has(row.id)).map(({ row, counted }) => ({ ...row, counted }))
  await countClaims(tx, tenant, counted, 1)
  await assertBudgetsHold(
    tx,
    tenant,
    // A message to several recipients may have more than a budget allows, so its place was checked before.
    counted.map((message) => ({ ...message, isHeld: isPlanned(message) && recipientCount(message) <= 1 })),
  )
  return { claimed: claimed.size, nextAt: nextAfterAt }
}

interface DueDirect extends CheckedRecipients {
  limits: DirectLimits
}

/** Locks the due messages, and reads their recipients and limits. `due` is null if no message is due. */
async function readDueDirect(
  tx: Transaction,
  tenant: Tenant,
  { secrets, now }: DirectWrite,
): Promise<{ nextAt: Date | null; due: DueDirect | null }> {
  const nextAt = await findNextDirect(tx, tenant)
  if (nextAt === null || nextAt > now) return { nextAt, due: null }
  const rows = await lockDirectMessages(tx, tenant, { now, limit: directMax })
  if (rows.length === 0) return { nextAt, due: null }
  const suppressed = await findSuppressed(tx, tenant, { secrets, emails: [...new Set(rows.flatMap(recipientEmails))] })
  const suppressedAt = new Map([...suppressed].map(([email, { askedAt }]) => [email, askedAt]))
  const threadIds = suppressed.size === 0 ? [] : rows.flatMap(({ threadId }) => threadId ?? [])
  const writers = await listWriters(tx, tenant, [...new Set(threadIds)])
  const checked = checkRecipients(rows, { suppressedAt, writers })
  const senders = await loadSenders(tx, tenant, [...new Set(checked.kept.map((row) => row.sendingAccountId))], now)
  const budgets = new Map(openSenders(senders, now.getTime()).map((budget) => [budget.sender.id, budget]))
  const since = [...budgets].map(([id, { nextDayMs }]) => ({ id, since: new Date(nextDayMs - dayMs) }))
  const counts = await countDirectToday(tx, tenant, since)
  const ofCampaigns = checked.kept.filter(({ kind }) => kind === 'campaign')
  const campaignIds = [...new Set(ofCampaigns.flatMap(({ campaignId }) => campaignId ?? []))]
  const campaigns = await listCampaignsById(tx, tenant, campaignIds)
  const leads = ofCampaigns.flatMap(({ leadEmail: email, emailDomain, companyDomain }) =>
    email === null ? [] : [{ email, emailDomain: emailDomain ?? '', companyDomain }],
  )
  const contacts = leads.length === 0 ? null : await loadContactBook(tx, tenant, { secrets, leads })
  // Only the day of the schedule's zone is asked for, and holidays don't change it.
  const schedules = new Map(
    campaigns.map(({ id, status, schedule }) => [id, { status, schedule: { ...schedule, holidays: null } }]),
  )
  return { nextAt, due: { ...checked, limits: { now, budgets, counts, schedules, contacts } } }
}
