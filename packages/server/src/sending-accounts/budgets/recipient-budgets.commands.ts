import type { ClaimCount } from '@overture/planner/plan.types.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { deleteRecipientBudget, listBudgetDays, upsertRecipientBudget } from './recipient-budgets.sql.ts'

/** Sets the number of recipients per day that senders share, or removes the limit. */
export async function setBudget(
  tx: Transaction,
  tenant: Tenant,
  budget: { id: string; name: string; dailyExternalRecipients: number | null },
): Promise<void> {
  const { id, name, dailyExternalRecipients } = budget
  if (dailyExternalRecipients === null) return deleteRecipientBudget(tx, tenant, id)
  return upsertRecipientBudget(tx, tenant, { id, name, dailyExternalRecipients })
}

/** Claims of another process used up a budget after the plan read it. Nothing of the plan is stored. */
class BudgetUsedUp extends Error {
  constructor() {
    super('Another process used up a recipient budget, so the plan is made again.')
  }
}

interface CountedMessage {
  counted: Partial<ClaimCount>
  /** Whether a full budget holds the message. It does not hold replies of people, which count nevertheless. */
  isHeld: boolean
}

/**
 * Throws if the claims of this transaction exceed a budget. Counting them locked the rows of the budgets, so no other process can count
 * before the transaction ends.
 */
export async function assertBudgetsHold(
  tx: Transaction,
  tenant: Tenant,
  messages: readonly CountedMessage[],
): Promise<void> {
  const held = messages.filter(({ isHeld, counted }) => isHeld && counted.budgets !== undefined)
  const [first] = held
  const day = first?.counted.budgetDay
  if (day === undefined) return
  const free = messages.filter(({ isHeld }) => !isHeld).flatMap(({ counted }) => counted.budgets ?? [])
  const ids = [...new Set(held.flatMap(({ counted }) => counted.budgets ?? []))]
  for (const { id, claimed, limit } of await listBudgetDays(tx, tenant, { ids, day })) {
    const others = free.filter((budget) => budget === id).length
    if (claimed - others > limit) throw new BudgetUsedUp()
  }
}
