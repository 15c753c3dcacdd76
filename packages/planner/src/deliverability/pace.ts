import type { DeliverabilityState, SignalReason } from '@overture/contract/sending-accounts/deliverability.ts'
import { localDate } from '@overture/ground/time/day-words.ts'
import { dayName, dayNumberAt, parseDayNumber, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { describeReason, severity, type SignalVerdict } from './signals.ts'

export interface RampUp {
  enabled: boolean
  startPerDay: number
  incrementPerDay: number
  /** `adaptive`: the deliverability of the mailbox decides each day. Absent means fixed. */
  mode?: 'fixed' | 'adaptive' | undefined
  /** The largest number of messages per day under an adaptive ramp. Absent or null: the daily limit. */
  ceiling?: number | null | undefined
}

/** The part of a stored pace that only bad signals and people change. */
export interface PaceMark {
  state: DeliverabilityState
  badDay: string | null
}

/** The state of a mailbox, and its allowance on a day under an adaptive ramp. */
export interface Pace {
  state: DeliverabilityState
  /** ISO 8601. */
  since: string
  /** The day of `allowance`, `YYYY-MM-DD` of the sender's zone. */
  day: string
  allowance: number
  /** The last day with a bad signal. Null if there was none. */
  badDay: string | null
  reasons: SignalReason[]
}

/** A stored pace with the messages that were claimed on its day. */
export interface StoredPace extends Pace {
  used: number
}

const cleanDaysMin = 7
/** A watched or cooling mailbox is healthy this many days after its last bad day. */
export const recoveryDays = cleanDaysMin + 1
const coolingFactor = 0.75

interface PacedSender {
  timezone: string
  rampUp: RampUp | null
  rampStartedAt: Date | null
  pace: StoredPace | null
}

/**
 * The pace on the day of `nowMs`, if no bad signal came since the stored one. It is computed from the stored pace and the claims of
 * its day, so that sending, forecast, explain and the test clock agree. Source: docs/deliverability.md.
 */
export function paceOn(sender: PacedSender, nowMs: number): Pace {
  const { timezone } = sender
  const today = dayNumberAt(timezone, nowMs)
  const { used, ...stored } = sender.pace ?? firstPace(sender, nowMs)
  let pace: Pace = stored
  let usedThen = used
  const first = parseDayNumber(stored.day) + 1
  // Later days change nothing: the mailbox is healthy or held, and sends nothing.
  for (let day = first; day <= Math.min(today, first + cleanDaysMin + 1); day++) {
    pace = nextDay(pace, { used: usedThen, day, timezone, rampUp: sender.rampUp })
    usedThen = 0
  }
  return { ...pace, day: dayName(Math.max(today, first - 1)) }
}

function firstPace({ timezone, rampUp, rampStartedAt }: PacedSender, nowMs: number): StoredPace {
  const startMs = rampStartedAt?.getTime() ?? nowMs
  const day = dayName(dayNumberAt(timezone, startMs))
  const since = new Date(startMs).toISOString()
  return { state: 'healthy', since, day, allowance: rampUp?.startPerDay ?? 0, badDay: null, reasons: [], used: 0 }
}

/** Decides a day once: the state first, then the allowance. */
function nextDay(
  pace: Pace,
  { used, day, timezone, rampUp }: { used: number; day: number; timezone: string; rampUp: RampUp | null },
): Pace {
  const isHealthyAgain = recoveryDay(pace) === day
  const decided: Pace = isHealthyAgain
    ? { ...pace, state: 'healthy', since: new Date(startOfDayMs(timezone, day)).toISOString(), reasons: [] }
    : pace
  return { ...decided, day: dayName(day), allowance: allowanceAfter(decided, used, rampUp) }
}

function allowanceAfter({ state, allowance }: Pace, used: number, rampUp: RampUp | null): number {
  if (rampUp === null) return allowance
  if (state === 'cooling') return coolDown(allowance, rampUp)
  if (state !== 'healthy' || 2 * used < allowance) return allowance
  return Math.min(rampUp.ceiling ?? Infinity, allowance + rampUp.incrementPerDay)
}

function coolDown(allowance: number, { startPerDay }: RampUp): number {
  return Math.min(allowance, Math.max(startPerDay, Math.floor(allowance * coolingFactor)))
}

/** The first day after the clean days, as a day number. Null if time alone does not end the state. */
function recoveryDay({ state, badDay }: Pace): number | null {
  if (badDay === null || (state !== 'watch' && state !== 'cooling')) return null
  return parseDayNumber(badDay) + recoveryDays
}

/** When a mailbox is healthy again if no bad signal comes. Null if it is healthy, or if a person must act. */
export function reviewMs(pace: Pace, timezone: string): number | null {
  const day = recoveryDay(pace)
  return day === null ? null : startOfDayMs(timezone, day)
}

/**
 * The pace after the signals were judged again. A worse state acts at once. A better one waits for its clean days, and a person ends
 * a hold. The allowance falls once per day at most.
 */
export function worsen(sender: PacedSender, verdict: SignalVerdict, now: Date): Pace {
  const pace = paceOn(sender, now.getTime())
  if (verdict.state === 'healthy') return pace
  if (severity[pace.state] > severity[verdict.state]) return { ...pace, badDay: pace.day }
  const changed = pace.state !== verdict.state
  // A mailbox that was cooling has fallen today already.
  const cools = severity[pace.state] < severity.cooling && severity[verdict.state] >= severity.cooling
  return {
    ...pace,
    state: verdict.state,
    since: changed ? now.toISOString() : pace.since,
    badDay: pace.day,
    allowance: cools && sender.rampUp !== null ? coolDown(pace.allowance, sender.rampUp) : pace.allowance,
    reasons: verdict.reasons,
  }
}

/** The pace after a person resumed a held mailbox: it cools down before it grows. */
export function resumed(sender: PacedSender, now: Date): Pace {
  const pace = paceOn(sender, now.getTime())
  if (pace.state !== 'held') return pace
  return { ...pace, state: 'cooling', since: now.toISOString(), badDay: pace.day }
}

export function paceMark(pace: Pace | null): PaceMark {
  return { state: pace?.state ?? 'healthy', badDay: pace?.badDay ?? null }
}

/** Whether a mailbox became healthy by time alone. */
export function recovers({ pace, paceRead }: { pace?: Pace; paceRead?: PaceMark }): boolean {
  return pace?.state === 'healthy' && paceRead !== undefined && paceRead.state !== 'healthy'
}

/** The state with its reasons in words, such as "cooling since 3 December: complaints 0.21 %". Empty for a healthy mailbox. */
export function describeState(pace: Pace | null, timezone: string): string[] {
  if (pace === null || pace.state === 'healthy') return []
  return [
    `${pace.state} since ${localDate(timezone, Date.parse(pace.since))}: ${pace.reasons.map(describeReason).join(', ')}`,
  ]
}
