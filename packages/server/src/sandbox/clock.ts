import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import {
  advanceCountNames,
  advanceDaysMax,
  durationMs,
  type AdvanceCounts,
  type AdvanceInput,
} from '@overture/contract/sandbox/sandbox.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'

/** Shows real time plus the offset, or the instant at which it is frozen. */
export interface SandboxClock {
  offsetMs: number
  frozenAt: Date | null
}

/** The time that a clock shows. */
export function showsNow(clock: SandboxClock, realNow: Date): Date {
  return clock.frozenAt ?? new Date(realNow.getTime() + clock.offsetMs)
}

/** A run of a dead process is taken over after this time. A working process renews the lease three times in that time. */
export const runLeaseMs = 9_000
/** The planning lease is longer than the run's lease, so that another process can first take over the run. */
export const plannerLeaseMs = minuteMs

export function runsAlready(): AppError {
  return new AppError('CONFLICT', 'The clock of this test environment is already being moved.', {
    currentStatus: 'advancing',
    allowedActions: [],
  })
}

/** The target time of a clock that shows `now`. Throws 400 for the past, the present and times too far ahead. */
export function advanceTarget(input: AdvanceInput, now: Date): Date {
  if (input.to === undefined) return new Date(now.getTime() + (durationMs(input.by ?? '') ?? 0))
  const target = new Date(input.to)
  if (target.getTime() <= now.getTime()) {
    throw invalid({
      path: 'to',
      rule: 'future',
      message: `The clock shows ${now.toISOString()} and can't be moved back.`,
    })
  }
  if (target.getTime() - now.getTime() > advanceDaysMax * dayMs) {
    throw invalid({ path: 'to', rule: 'max', message: `The clock can be moved ${advanceDaysMax} days ahead at most.` })
  }
  return target
}

/** The counts of one day (UTC). A withdrawn interest is subtracted from its own day. */
export type DayCount = { date: string } & Omit<AdvanceCounts, 'delivered'>

/** Adds up counts by day and in total. `delivered` is sent minus bounced; a bounced message may have been sent on an earlier day. */
export function summariseDays(
  rows: readonly DayCount[],
): AdvanceCounts & { byDay: ({ date: string } & AdvanceCounts)[] } {
  const total = noCounts()
  const counted = rows.filter((row) => advanceCountNames.some((name) => name !== 'delivered' && row[name] !== 0))
  const byDay = counted.map(({ date, ...counts }) => {
    const day = noCounts()
    for (const name of advanceCountNames) {
      if (name === 'delivered') continue
      day[name] = Math.max(0, counts[name])
      total[name] += counts[name]
    }
    return { date, ...withDelivered(day) }
  })
  total.interested = Math.max(0, total.interested)
  return { ...withDelivered(total), byDay: byDay.sort((a, b) => (a.date < b.date ? -1 : 1)) }
}

function withDelivered(counts: AdvanceCounts): AdvanceCounts {
  return { ...counts, delivered: Math.max(0, counts.sent - counts.bounced) }
}

function noCounts(): AdvanceCounts {
  return {
    sent: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    replied: 0,
    interested: 0,
    autoReplied: 0,
    bounced: 0,
    unsubscribed: 0,
    meetingsBooked: 0,
  }
}

interface DueTimes {
  planAt: Date | null
  jobAt: Date | null
}

/** The next due time in ms. Infinity: nothing is due. */
export function earliestMs({ planAt, jobAt }: DueTimes): number {
  return Math.min(planAt?.getTime() ?? Infinity, jobAt?.getTime() ?? Infinity)
}

export function isDue(at: Date | null, nowMs: number): boolean {
  return at !== null && at.getTime() <= nowMs
}
