import type { RefusedRecipient } from '@overture/contract/delivery/delivery.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { firstClosedGate, otherCampaignRecheckMs, type ContactBook } from '@overture/planner/contact-policy.ts'
import { budgetsFullUntil } from '@overture/planner/deliverability/recipient-budget.ts'
import { budgetCount, hasRoom, readyMs, type SenderBudget } from '@overture/planner/pacing.ts'
import { openCampaign, toDate } from '@overture/planner/plan-state.ts'
import type { ClaimCount, PlanCampaign } from '@overture/planner/plan.types.ts'
import { contactKeys } from '../../contact-policy/contact-keys.ts'
import {
  decideRecipients,
  directRecipientsPerDayMax,
  recipientCount,
  type DirectKind,
  type Envelope,
  type OutboundKind,
  type Writer,
} from './recipients.ts'

const unavailableRetryMs = 15 * minuteMs

/** A due message that bypasses the planner: a person's reply, send-now or a notice. */
export interface DirectRow {
  id: string
  kind: OutboundKind
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  companyDomain: string | null
  stepId: string | null
  sendingAccountId: string
  emailDomain: string | null
  first: boolean
  threadId: string | null
  to: Envelope['to']
  cc: Envelope['cc']
  bcc: Envelope['bcc']
  /** The recipient never wrote to us, so the message follows the limits of campaign messages. */
  toStranger: boolean
  refusedBefore: RefusedRecipient[]
}

export interface DirectClaim {
  row: DirectRow
  counted: Partial<ClaimCount>
  /** Null for mail that the contact policy does not count. */
  contact: { person: string; company: string | null } | null
}

interface RecipientChange {
  id: string
  envelope: Envelope
  /** All refused recipients, including earlier ones. */
  refused: RefusedRecipient[]
}

export interface CheckedRecipients {
  /** The messages with the recipients that may be written to. */
  kept: DirectRow[]
  changed: RecipientChange[]
  /** Messages without any recipient left. */
  failed: RecipientChange[]
}

interface RecipientsOfRows {
  suppressedAt: ReadonlyMap<string, Date>
  /** The people who wrote in each thread, the last one first. */
  writers: ReadonlyMap<string, readonly Writer[]>
}

/** Removes refused recipients from each message. A campaign message has one recipient, the lead, and its gate holds it. */
export function checkRecipients(rows: readonly DirectRow[], facts: RecipientsOfRows): CheckedRecipients {
  const checked: CheckedRecipients = { kept: [], changed: [], failed: [] }
  for (const row of rows) {
    if (row.kind === 'campaign') {
      checked.kept.push(row)
      continue
    }
    const lastWriter = facts.writers.get(row.threadId ?? '')?.[0] ?? null
    const { suppressedAt } = facts
    const { envelope, refused } = decideRecipients({ ...row, kind: row.kind }, { suppressedAt, lastWriter })
    const change = { id: row.id, envelope, refused: [...row.refusedBefore, ...refused] }
    if (recipientCount(envelope) === 0) {
      checked.failed.push(change)
      continue
    }
    if (refused.length > 0) checked.changed.push(change)
    checked.kept.push({ ...row, ...envelope })
  }
  return checked
}

export interface DirectLimits {
  now: Date
  /** By sending account. */
  budgets: ReadonlyMap<string, SenderBudget>
  /** Today's recipients of people's messages and notices. */
  counts: readonly { sendingAccountId: string; kind: DirectKind; recipients: number }[]
  /** The schedules of the campaigns, by id. */
  schedules: ReadonlyMap<string, { status: PlanCampaign['status']; schedule: SendingSchedule }>
  /** Null: the account has no contact policy that can hold leads. */
  contacts: ContactBook | null
}

/** Decides which messages are claimed now, and when the others are tried again. Counts the claims in `budgets`. */
export function planDirect(rows: readonly DirectRow[], limits: DirectLimits) {
  const { now, budgets } = limits
  const contacts = limits.contacts?.fork() ?? null
  const counts = new Map(limits.counts.map((row) => [countKey(row), row.recipients]))
  const claims: DirectClaim[] = []
  const postponed: { id: string; at: Date }[] = []
  for (const row of rows) {
    const budget = budgets.get(row.sendingAccountId)
    if (budget === undefined) {
      postponed.push({ id: row.id, at: new Date(now.getTime() + unavailableRetryMs) })
      continue
    }
    const recipients = (counts.get(countKey(row)) ?? 0) + recipientCount(row)
    const lead = contactedLead(row)
    const waitUntil =
      heldUntil(row, budget, now) ?? fullUntil(row, budget, recipients) ?? policyUntil(contacts, lead, now)
    if (waitUntil !== null) {
      postponed.push({ id: row.id, at: waitUntil })
      continue
    }
    budget.claimed++
    for (const shared of budget.shared) shared.claimed += budgetRecipients(row)
    counts.set(countKey(row), recipients)
    if (lead !== null) contacts?.record(lead, now.getTime())
    claims.push({ row, counted: countClaim(row, budget, limits), contact: lead })
  }
  return { claims, postponed }
}

function contactedLead(row: DirectRow) {
  const { kind, campaignId, leadId, leadEmail, emailDomain, companyDomain } = row
  if (kind !== 'campaign' || campaignId === null || leadId === null || leadEmail === null) return null
  return { id: leadId, campaignId, ...contactKeys({ email: leadEmail, emailDomain: emailDomain ?? '', companyDomain }) }
}

/** When the contact policy may allow the message, else null. */
function policyUntil(contacts: ContactBook | null, lead: ReturnType<typeof contactedLead>, now: Date): Date | null {
  const closed = contacts && lead && firstClosedGate(contacts, lead, now.getTime())
  return closed && new Date(Math.min(closed.untilMs, now.getTime() + otherCampaignRecheckMs))
}

function countKey({ sendingAccountId, kind }: Pick<DirectRow, 'sendingAccountId' | 'kind'>): string {
  return `${sendingAccountId} ${kind}`
}

/** The start of the next day if the day's recipients exceed the limit, else null. */
function fullUntil(row: DirectRow, { nextDayMs }: SenderBudget, recipients: number): Date | null {
  if (row.kind === 'campaign') return null
  return recipients > directRecipientsPerDayMax[row.kind] ? new Date(nextDayMs) : null
}

/** The recipients that shared budgets count. A campaign message names none, because it goes to its lead. */
function budgetRecipients(row: DirectRow): number {
  return recipientCount(row) || 1
}

/**
 * Whether the message waits for the mailbox and its limits of the day as a campaign's message does. A message to a lead that never
 * wrote is a follow-up, and a placement test is no reason to exceed a limit.
 */
export function isPlanned({ kind, toStranger }: Pick<DirectRow, 'kind' | 'toStranger'>): boolean {
  return kind === 'campaign' || kind === 'test' || (kind === 'manual' && toStranger)
}

function heldUntil(row: DirectRow, budget: SenderBudget, now: Date): Date | null {
  const nowMs = now.getTime()
  // A person may reply from a mailbox that is paused for campaigns.
  const planned = isPlanned(row)
  const availableMs = !planned && budget.sender.status === 'paused' ? nowMs : budget.availableMs
  if (availableMs > nowMs) return toDate(Math.min(availableMs, nowMs + unavailableRetryMs))
  if (!planned) return null
  const fullMs = budgetsFullUntil(budget.shared, budgetRecipients(row))
  if (fullMs !== null) return new Date(fullMs)
  if (hasRoom(budget)) return null
  return toDate(Math.min(readyMs({ ...budget, nextSendMs: nowMs }, nowMs), budget.nextDayMs))
}

function countClaim(row: DirectRow, budget: SenderBudget, { schedules, now }: DirectLimits): Partial<ClaimCount> {
  const campaign = row.kind === 'campaign' && row.campaignId !== null ? schedules.get(row.campaignId) : undefined
  const shared = budgetCount(budget, budgetRecipients(row))
  if (campaign === undefined) return { senderDay: budget.day, ...shared }
  const { day } = openCampaign(
    {
      id: row.campaignId ?? '',
      ...campaign,
      steps: [],
      sendingAccountIds: [],
      caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
      usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    },
    now.getTime(),
  )
  return { senderDay: budget.day, campaignDay: day, first: row.first, domain: row.emailDomain ?? '', ...shared }
}
