import { isFinishedReason } from '@overture/ground/lead-statuses.ts'
import type { GateName, PlannedSend } from './plan.types.ts'

export interface Forecast {
  /** Days of the campaign's zone, in order. */
  days: {
    date: string
    first: number
    followUp: number
    bySender: { sendingAccountId: string; count: number }[]
  }[]
  /** The day of the last message. Null: leads without a permanent block still have steps left at the end of the forecast. */
  finishesOn: string | null
  /** The number of leads that do not get all their messages within the forecast, by the gate that holds them. */
  unscheduled: { reason: GateName; count: number }[]
  assumes: 'leads_do_nothing'
  /** The number of leads that each branch takes; `branchId` is null for leads for which no branch of the step was true. */
  byBranch: { stepId: string; branchId: string | null; count: number }[]
  /** The number of leads that a branch moves to another campaign; `arrivals` counts those that come from another one. */
  handedOver: number
  arrivals: number
}

/** The counts of one day during the run. */
export interface Day {
  first: number
  followUp: number
  bySender: Map<string, number>
}

export function countDay(days: Map<string, Day>, send: PlannedSend): void {
  const day = days.get(send.counted.campaignDay) ?? { first: 0, followUp: 0, bySender: new Map<string, number>() }
  days.set(send.counted.campaignDay, day)
  if (send.counted.first) day.first++
  else day.followUp++
  day.bySender.set(send.sendingAccountId, (day.bySender.get(send.sendingAccountId) ?? 0) + 1)
}

/** Sorts the days. `reasons` counts the remaining leads by the gate that holds them. */
export function buildForecast(
  days: ReadonlyMap<string, Day>,
  reasons: ReadonlyMap<GateName, number>,
  decided: readonly Forecast['byBranch'][number][],
): Omit<Forecast, 'handedOver' | 'arrivals'> {
  const dates = [...days.keys()].sort()
  const finished = [...reasons.keys()].every(isFinishedReason)
  return {
    days: dates.flatMap((date) => {
      const day = days.get(date)
      if (!day) return []
      const senders = [...day.bySender].sort(([a], [b]) => (a < b ? -1 : 1))
      const bySender = senders.map(([sendingAccountId, count]) => ({ sendingAccountId, count }))
      return [{ date, first: day.first, followUp: day.followUp, bySender }]
    }),
    finishesOn: finished ? (dates.at(-1) ?? null) : null,
    unscheduled: [...reasons].map(([reason, count]) => ({ reason, count })),
    assumes: 'leads_do_nothing',
    byBranch: decided.map(({ stepId, branchId, count }) => ({ stepId, branchId, count })),
  }
}
