import { hash32, unitInterval } from '@overture/ground/chance/seeded.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { dayName, dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { paceOn, type Pace, type StoredPace } from './deliverability/pace.ts'
import { openBudgets, roomIn, roomMs, type OpenBudget, type OpenBudgets } from './deliverability/recipient-budget.ts'
import type { ClaimCount, PlanSender, RampUp } from './plan.types.ts'

/** The pause after a trial message of a failing sender, in which its outcome becomes known. */
const trialGapMs = 10_000
const newLeadTurns = 4
/** A mailbox that was not read for longer may contain an opt-out or a bounce, so its sender stops. */
const inboxUnreadMsMax = 15 * minuteMs

/** The number of messages that a mailbox may still send today, and its next free time. The planner counts them down. Times are in ms. */
export interface SenderBudget {
  sender: PlanSender
  /** `YYYY-MM-DD` of the sender's zone. */
  day: string
  nextDayMs: number
  allowance: number
  claimed: number
  /**
   * The time from which the sender can send. It is later than `now` if the sender is held or failing, and Infinity if a person must act.
   */
  availableMs: number
  nextSendMs: number
  sequence: number
  changed: boolean
  /** The pace of this day. Null: nothing depends on it. */
  pace: Pace | null
  /** The budgets that it shares with other senders. */
  shared: readonly OpenBudget[]
}

/** Opens the budgets of senders. Senders that share a budget count it up together. */
export function openSenders(senders: readonly PlanSender[], nowMs: number): SenderBudget[] {
  const opened: OpenBudgets = new Map()
  return senders.map((sender) => openSender(sender, nowMs, opened))
}

/** Opens a sender's budget. Senders that are opened with the same `opened` count up the budgets that they share together. */
export function openSender(sender: PlanSender, nowMs: number, opened: OpenBudgets = new Map()): SenderBudget {
  const day = dayNumberAt(sender.timezone, nowMs)
  const pace = isPaced(sender) ? paceOn(sender, nowMs) : null
  return {
    sender,
    day: dayName(day),
    nextDayMs: startOfDayMs(sender.timezone, day + 1),
    allowance: allowanceOn(sender, { nowMs, pace }),
    claimed: sender.claimedToday,
    availableMs: isInboxUnread(sender, nowMs) ? Infinity : presentMs(sender),
    nextSendMs: sender.nextSendAt?.getTime() ?? -Infinity,
    sequence: sender.sendSequence,
    changed: false,
    pace,
    shared: openBudgets(sender.budgets ?? [], nowMs, opened),
  }
}

/** Returns whether time changes the state of a sender, or whether its state changes its allowance. */
function isPaced({ pace, rampUp }: Pick<PlanSender, 'pace' | 'rampUp'>): boolean {
  return pace !== null || (rampUp?.enabled === true && rampUp.mode === 'adaptive')
}

/** The daily limit without the messages that another tool sends from the mailbox. */
export function ownDailyLimit({ dailyLimit, reservedPerDay }: { dailyLimit: number; reservedPerDay: number }): number {
  return Math.max(0, dailyLimit - reservedPerDay)
}

interface LimitedSender {
  dailyLimit: number
  reservedPerDay: number
  rampUp: RampUp | null
  rampStartedAt: Date | null
  timezone: string
  pace: StoredPace | null
}

/** The largest number of messages of this day: the daily limit, or less while the mailbox is being ramped up. */
export function dailyAllowance(sender: LimitedSender, nowMs: number): number {
  return allowanceOn(sender, { nowMs, pace: isPaced(sender) ? paceOn(sender, nowMs) : null })
}

/** The allowance, with the pace of the day. Null if nothing depends on it. */
function allowanceOn(sender: LimitedSender, { nowMs, pace }: { nowMs: number; pace: Pace | null }): number {
  const { rampUp, rampStartedAt, timezone } = sender
  const limit = ownDailyLimit(sender)
  if (!rampUp?.enabled) return limit
  if (rampUp.mode === 'adaptive' && pace !== null) return Math.min(limit, rampUp.ceiling ?? limit, pace.allowance)
  const startedDay = rampStartedAt ? dayNumberAt(timezone, rampStartedAt.getTime()) : dayNumberAt(timezone, nowMs)
  const days = Math.max(0, dayNumberAt(timezone, nowMs) - startedDay)
  return Math.max(0, Math.min(limit, rampUp.startPerDay + days * rampUp.incrementPerDay))
}

/**
 * Returns the pause after the sender's message number `sequence`, in ms. It is derived from the sender and the number. Two successive
 * pauses always add up to the same time, so mailboxes with equal gaps stay level and new leads spread evenly over them.
 */
function gapMs(sender: { id: string; minGapSeconds: number; maxGapSeconds: number }, sequence: number): number {
  const drawn = unitInterval(`${sender.id} ${Math.floor(sequence / 2)}`)
  const part = sequence % 2 === 0 ? drawn : 1 - drawn
  const spread = Math.max(0, sender.maxGapSeconds - sender.minGapSeconds)
  return Math.round((sender.minGapSeconds + part * spread) * 1000)
}

/** Follow-ups go first. In one turn of four new leads go first, so that follow-ups never starve them. */
export function prefersNewLead(senderId: string, sequence: number): boolean {
  return hash32(`${senderId}:lane ${sequence}`) % newLeadTurns === 0
}

export function isReady(budget: SenderBudget, nowMs: number): boolean {
  return budget.availableMs <= nowMs && hasRoom(budget) && budget.nextSendMs <= nowMs
}

/** Whether the sender's own limit of the day and the budgets that it shares allow another message. */
export function hasRoom({ claimed, allowance, shared }: SenderBudget): boolean {
  return claimed < allowance && roomIn(shared) > 0
}

/** The time when a sender can send next, after all its gates have opened. Infinity: only after a person acts. */
export function readyMs(budget: SenderBudget, nowMs: number): number {
  const { sender } = budget
  const capLifted = budget.claimed < budget.allowance ? nowMs : ownDailyLimit(sender) > 0 ? budget.nextDayMs : Infinity
  return Math.max(nowMs, budget.availableMs, capLifted, budget.nextSendMs, roomMs(budget.shared, nowMs))
}

/** Counts one send at `nowMs`. */
export function countSend(budget: SenderBudget, nowMs: number): void {
  budget.claimed++
  for (const shared of budget.shared) shared.claimed++
  budget.nextSendMs = nowMs + gapMs(budget.sender, budget.sequence)
  budget.sequence++
  budget.changed = true
  if (budget.sender.status === 'connection_error') budget.availableMs = nowMs + trialGapMs
}

/** The count of a message in the shared budgets of its sender: each budget once per recipient. */
export function budgetCount(
  { shared }: Pick<SenderBudget, 'shared'>,
  recipients: number,
): Pick<ClaimCount, 'budgets' | 'budgetDay'> {
  const [first] = shared
  if (first === undefined) return {}
  const ids = shared.map(({ budget }) => budget.id)
  return { budgets: Array.from({ length: recipients }, () => ids).flat(), budgetDay: first.day }
}

/** Whether the inbox was not read for too long. Nothing is sent from such a mailbox. */
export function isInboxUnread({ inboxReadAt }: PlanSender, nowMs: number): boolean {
  return inboxReadAt !== null && nowMs - inboxReadAt.getTime() > inboxUnreadMsMax
}

/** For the days of a forecast: a mailbox that is read now stays read, and an unread one stays unread. */
export function readOn(sender: PlanSender, nowMs: number): Pick<PlanSender, 'inboxReadAt'> {
  return { inboxReadAt: isInboxUnread(sender, nowMs) ? new Date(0) : null }
}

/** The time when a sender can send by its status and its hold. An unread inbox is not considered. */
export function presentMs(sender: PlanSender): number {
  const held = sender.heldUntil?.getTime() ?? -Infinity
  switch (sender.status) {
    case 'active':
      return held
    case 'connection_error':
      return Math.max(held, sender.retryAt?.getTime() ?? Infinity)
    case 'paused':
    case 'auth_required':
    case 'blocked':
      return Infinity
  }
}
