import type { ValidationIssue } from '@overture/contract/errors.ts'
import type { Deliverability } from '@overture/contract/sending-accounts/deliverability.ts'
import { paceOn, reviewMs, type Pace } from '@overture/planner/deliverability/pace.ts'
import { signalScore } from '@overture/planner/deliverability/signals.ts'
import { dailyAllowance } from '@overture/planner/pacing.ts'
import { defaultGapSeconds, type RampUp } from '@overture/contract/sending-accounts/sending-accounts.ts'

export function newGaps(minGapSeconds: number | undefined, maxGapSeconds: number | undefined) {
  return {
    minGapSeconds: minGapSeconds ?? Math.min(defaultGapSeconds.min, maxGapSeconds ?? defaultGapSeconds.min),
    maxGapSeconds: maxGapSeconds ?? Math.max(defaultGapSeconds.max, minGapSeconds ?? 0),
  }
}

export function gapIssues(gaps: { minGapSeconds: number; maxGapSeconds: number }): ValidationIssue[] {
  if (gaps.minGapSeconds <= gaps.maxGapSeconds) return []
  return [{ path: 'maxGapSeconds', rule: 'range', message: 'maxGapSeconds must not be less than minGapSeconds.' }]
}

type PartialRamp = { [Field in keyof RampUp]?: RampUp[Field] | undefined }

export function mergeRampUp(current: RampUp | null, sent: PartialRamp | null | undefined): PartialRamp | null {
  if (sent === undefined) return current
  return sent === null ? null : { ...current, ...sent }
}

export function rampIssues(merged: PartialRamp | null): ValidationIssue[] {
  if (merged === null) return []
  const missing = (['enabled', 'startPerDay', 'incrementPerDay'] as const).filter(
    (field) => merged[field] === undefined,
  )
  const { ceiling, startPerDay } = merged
  const low = typeof ceiling === 'number' && startPerDay !== undefined && ceiling < startPerDay
  return [
    ...missing.map((field) => ({ path: `rampUp.${field}`, rule: 'required', message: 'Required.' })),
    ...(low ? [{ path: 'rampUp.ceiling', rule: 'range', message: 'ceiling must not be less than startPerDay.' }] : []),
  ]
}

/** Another tool must leave at least one message of the daily limit to us. */
export function reservedIssues(limits: { dailyLimit: number; reservedPerDay: number }): ValidationIssue[] {
  if (limits.reservedPerDay < limits.dailyLimit) return []
  return [{ path: 'reservedPerDay', rule: 'range', message: 'reservedPerDay must be less than dailyLimit.' }]
}

interface PacedSender {
  timezone: string
  dailyLimit: number
  reservedPerDay: number
  rampUp: RampUp | null
  rampStartedAt: Date | null
  pace: Pace | null
}

/** The state of a sender today, as the API shows it. `usedThen` counts the messages of the day of its stored pace. */
export function presentPace(sender: PacedSender & { createdAt: Date }, usedThen: number, now: Date): Deliverability {
  const stored = { ...sender, pace: sender.pace && { ...sender.pace, used: usedThen } }
  const pace = paceOn(stored, now.getTime())
  const review = reviewMs(pace, sender.timezone)
  return {
    state: pace.state,
    since: (sender.pace === null ? sender.createdAt : new Date(pace.since)).toISOString(),
    score: signalScore(pace),
    allowanceToday: dailyAllowance(stored, now.getTime()),
    reasons: pace.reasons,
    reviewAt: review === null ? null : new Date(review).toISOString(),
  }
}

function isAdaptive(rampUp: RampUp | null): boolean {
  return rampUp?.enabled === true && rampUp.mode === 'adaptive'
}

/** An adaptive ramp that replaces a fixed one continues from the allowance of the fixed one. A new ramp begins at its start. */
export function changedPace(current: PacedSender, next: Omit<PacedSender, 'pace'>, now: Date): Pace | null {
  const { pace } = current
  if (!isAdaptive(next.rampUp) || isAdaptive(current.rampUp) || next.rampUp === null) return pace
  const today = paceOn({ ...next, pace: pace && { ...pace, used: 0 } }, now.getTime())
  const isRamping = current.rampUp?.enabled === true
  const allowance = isRamping ? dailyAllowance({ ...current, pace: null }, now.getTime()) : next.rampUp.startPerDay
  return { ...today, allowance }
}
