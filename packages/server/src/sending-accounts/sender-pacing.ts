import type { ValidationIssue } from '@overture/contract/errors.ts'
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

export function mergeRampUp(current: RampUp | null, sent: Partial<RampUp> | null | undefined): Partial<RampUp> | null {
  if (sent === undefined) return current
  return sent === null ? null : { ...current, ...sent }
}

export function rampIssues(merged: Partial<RampUp> | null): ValidationIssue[] {
  if (merged === null) return []
  return (['enabled', 'startPerDay', 'incrementPerDay'] as const)
    .filter((field) => merged[field] === undefined)
    .map((field) => ({ path: `rampUp.${field}`, rule: 'required', message: 'Required.' }))
}

/** Another tool must leave at least one message of the daily limit to us. */
export function reservedIssues(limits: { dailyLimit: number; reservedPerDay: number }): ValidationIssue[] {
  if (limits.reservedPerDay < limits.dailyLimit) return []
  return [{ path: 'reservedPerDay', rule: 'range', message: 'reservedPerDay must be less than dailyLimit.' }]
}
