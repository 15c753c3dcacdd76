import { dayIn, dayName, dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'

/** A number of recipients per day that several senders share: those of an organization at the provider, or of a domain. */
export interface RecipientBudget {
  id: string
  /** The organization or the domain. */
  name: string
  limit: number
  /** The day in UTC to which `claimed` belongs. */
  day: string
  claimed: number
}

/** A budget while senders use it. The senders that share it share this object. */
export interface OpenBudget {
  budget: RecipientBudget
  day: string
  nextDayMs: number
  claimed: number
}

/** Budgets count days in UTC, because their senders may be in several zones. */
const zone = 'UTC'

export function utcDay(now: Date): string {
  return dayIn(zone, now)
}

export type OpenBudgets = Map<string, OpenBudget>

/** Opens the budgets of a sender. `known` has those that other senders opened before. */
export function openBudgets(budgets: readonly RecipientBudget[], nowMs: number, known: OpenBudgets): OpenBudget[] {
  if (budgets.length === 0) return []
  const number = dayNumberAt(zone, nowMs)
  const day = dayName(number)
  return budgets.map((budget) => {
    const claimed = budget.day === day ? budget.claimed : 0
    const open = known.get(budget.id) ?? { budget, day, nextDayMs: startOfDayMs(zone, number + 1), claimed }
    known.set(budget.id, open)
    return open
  })
}

/** The number of recipients that all budgets of a sender still allow today. */
export function roomIn(budgets: readonly OpenBudget[]): number {
  return Math.max(0, Math.min(Infinity, ...budgets.map(({ budget, claimed }) => budget.limit - claimed)))
}

/** The time when all budgets of a sender have room again. */
export function roomMs(budgets: readonly OpenBudget[], nowMs: number): number {
  const full = budgets.filter(({ budget, claimed }) => claimed >= budget.limit)
  return Math.max(nowMs, ...full.map(({ nextDayMs }) => nextDayMs))
}

/**
 * The time when all budgets have room for a message to several recipients. Null: they have it now. A message with more recipients than
 * a budget allows per day waits for a day without other messages.
 */
export function budgetsFullUntil(budgets: readonly OpenBudget[], recipients: number): number | null {
  const full = budgets.filter(({ budget, claimed }) => budget.limit - claimed < Math.min(recipients, budget.limit))
  return full.length === 0 ? null : Math.max(...full.map(({ nextDayMs }) => nextDayMs))
}

/** A budget as it is after a plan. */
export function toBudget({ budget, day, claimed }: OpenBudget): RecipientBudget {
  return { ...budget, day, claimed }
}

export function describeBudget({ budget, day, claimed }: OpenBudget): string {
  return `${claimed} of ${budget.limit} recipients of all senders of ${budget.name} on ${day} (UTC)`
}
