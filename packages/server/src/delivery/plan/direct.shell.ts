import { normalizeEmail } from '@overture/contract/addresses.ts'
import { dayMs, minuteMs } from '../../ground/time/spans.ts'
import { findCampaign } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { countClaims, type Lease } from './claims.sql.ts'
import {
  claimDirectMessages,
  countDirectToday,
  findNextDirect,
  lockDirectMessages,
  postponeDirectMessage,
  updateDirectFailed,
  updateRecipients,
  type DirectClaim,
  type DirectRow,
} from './direct.sql.ts'
import { decideRecipients, directRecipientsPerDayMax, recipientCount } from './recipients.ts'
import { budgetOf, readyMs, type SenderBudget } from '../planner/pacing.ts'
import { listWriters } from './writers.sql.ts'
import { loadSenders } from './load-plan-input.shell.ts'
import { openCampaign, toDate } from '../planner/plan-state.ts'
import type { ClaimCount } from '../planner/plan.types.ts'

const directMax = 100
const unavailableRetryMs = 15 * minuteMs

/**
 * Claims the due messages that the planner does not hold: people's replies, send-now and notices. Send-now and follow-ups to a lead
 * that never wrote skip wait and window, but not the sender's daily cap. Replies and notices count towards that cap, and
 * have their own daily limit of recipients (docs/contract.md, "Leads").
 */
export async function claimDueDirect(
  tx: Transaction,
  tenant: Tenant,
  { lease, secrets, now }: { lease: Lease; secrets: AddressHashes; now: Date },
): Promise<{ claimed: number; nextAt: Date | null }> {
  const nextAt = await findNextDirect(tx, tenant)
  if (nextAt === null || nextAt > now) return { claimed: 0, nextAt }
  const due = await lockDirectMessages(tx, tenant, { now, limit: directMax })
  const rows = await withRecipients(tx, tenant, secrets, due)
  const claims = rows.length === 0 ? [] : await admit(tx, tenant, rows, now)
  const claimed =
    claims.length === 0 ? new Set<string>() : await claimDirectMessages(tx, tenant, claims, { ...lease, now })
  await countClaims(
    tx,
    tenant,
    claims.filter(({ row }) => claimed.has(row.id)).map(({ row, counted }) => ({ ...row, counted })),
    1,
  )
  return { claimed: claimed.size, nextAt: await findNextDirect(tx, tenant) }
}

/** Removes refused recipients from each message. A message without any recipient left fails. */
async function withRecipients(
  tx: Transaction,
  tenant: Tenant,
  secrets: AddressHashes,
  rows: readonly DirectRow[],
): Promise<DirectRow[]> {
  const emails = rows.flatMap((row) =>
    [...row.to, ...row.cc, ...row.bcc].map(({ email }) => normalizeEmail(email).email),
  )
  const suppressed = await findSuppressed(tx, tenant, { secrets, emails: [...new Set(emails)] })
  if (suppressed.size === 0) return [...rows]
  const suppressedAt = new Map([...suppressed].map(([email, { askedAt }]) => [email, askedAt]))
  const writers = await listWriters(tx, tenant, [...new Set(rows.flatMap(({ threadId }) => threadId ?? []))])
  const kept: DirectRow[] = []
  for (const row of rows) {
    // A campaign message has one recipient, the lead, and its gate holds it.
    if (row.kind === 'campaign') {
      kept.push(row)
      continue
    }
    const lastWriter = writers.get(row.threadId ?? '')?.[0] ?? null
    const { envelope, refused: now } = decideRecipients({ ...row, kind: row.kind }, { suppressedAt, lastWriter })
    const refused = [...row.refusedBefore, ...now]
    if (recipientCount(envelope) === 0) {
      const failure = { type: 'suppressed', refusedRecipients: refused }
      await updateDirectFailed(tx, tenant, { id: row.id, failure })
      continue
    }
    if (now.length > 0) await updateRecipients(tx, tenant, { id: row.id, envelope, refused })
    kept.push({ ...row, ...envelope })
  }
  return kept
}

async function admit(tx: Transaction, tenant: Tenant, rows: readonly DirectRow[], now: Date): Promise<DirectClaim[]> {
  const senders = await loadSenders(tx, tenant, [...new Set(rows.map((row) => row.sendingAccountId))], now)
  const budgets = new Map(senders.map((sender) => [sender.id, budgetOf(sender, now.getTime())]))
  const recipients = await recipientsToday(tx, tenant, budgets)
  const claims: DirectClaim[] = []
  for (const row of rows) {
    const budget = budgets.get(row.sendingAccountId)
    const waitUntil =
      budget === undefined
        ? new Date(now.getTime() + unavailableRetryMs)
        : (heldUntil(row, budget, now) ?? recipients.fullUntil(row, budget))
    if (budget === undefined || waitUntil !== null) {
      await postponeDirectMessage(tx, tenant, { id: row.id, at: waitUntil ?? now })
      continue
    }
    budget.claimed++
    recipients.add(row)
    claims.push({ row, counted: await countedOf(tx, tenant, { row, budget, now }) })
  }
  return claims
}

/** Counts today's recipients of people's messages and notices, by sending account and kind. */
async function recipientsToday(tx: Transaction, tenant: Tenant, budgets: ReadonlyMap<string, SenderBudget>) {
  const since = [...budgets].map(([id, { nextDayMs }]) => ({ id, since: new Date(nextDayMs - dayMs) }))
  const rows = await countDirectToday(tx, tenant, since)
  const counts = new Map(rows.map((row) => [`${row.sendingAccountId} ${row.kind}`, row.recipients]))
  const keyOf = (row: DirectRow): string => `${row.sendingAccountId} ${row.kind}`
  return {
    add: (row: DirectRow) => void counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + recipientCount(row)),
    /** The start of the next day once the limit is reached, else null. The first message of a day always fits. */
    fullUntil(row: DirectRow, { nextDayMs }: SenderBudget): Date | null {
      if (row.kind === 'campaign') return null
      const full = (counts.get(keyOf(row)) ?? 0) + recipientCount(row) > directRecipientsPerDayMax[row.kind]
      return full ? new Date(nextDayMs) : null
    },
  }
}

function heldUntil(row: DirectRow, budget: SenderBudget, now: Date): Date | null {
  const nowMs = now.getTime()
  // A person may answer from a mailbox that is paused for campaigns. A lead that never wrote gets no answer, but a
  // follow-up: it waits for the mailbox and its daily cap as a campaign's message does.
  const planned = row.kind === 'campaign' || (row.kind === 'manual' && row.toStranger)
  const availableMs = !planned && budget.sender.status === 'paused' ? nowMs : budget.availableMs
  if (availableMs > nowMs) return toDate(Math.min(availableMs, nowMs + unavailableRetryMs))
  if (!planned || budget.claimed < budget.allowance) return null
  return toDate(Math.min(readyMs({ ...budget, nextSendMs: nowMs }, nowMs), budget.nextDayMs))
}

async function countedOf(
  tx: Transaction,
  tenant: Tenant,
  { row, budget, now }: { row: DirectRow; budget: SenderBudget; now: Date },
): Promise<Partial<ClaimCount>> {
  const campaign =
    row.kind === 'campaign' && row.campaignId !== null ? await findCampaign(tx, tenant, row.campaignId) : undefined
  if (campaign === undefined) return { senderDay: budget.day }
  const { day } = openCampaign(
    {
      id: campaign.id,
      status: campaign.status,
      schedule: campaign.schedule,
      steps: [],
      sendingAccountIds: [],
      caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
      usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    },
    now.getTime(),
  )
  return { senderDay: budget.day, campaignDay: day, first: row.first, domain: row.emailDomain ?? '' }
}
