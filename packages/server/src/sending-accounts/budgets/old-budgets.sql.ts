import type { Executor } from '../../platform/db/database.ts'

interface OldBudgetDay {
  accountId: string
  environment: string
  budgetId: string
  day: string
}

/** The counters of days that no limit reads any more. */
export async function listOldBudgetDaysAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldBudgetDay[]> {
  return db.query<OldBudgetDay>(
    `select account_id, environment, budget_id, day from budget_days where day < $1::date limit $2`,
    [before, limit],
    'list_old_budget_days',
  )
}

export async function deleteOldBudgetDays(
  db: Executor,
  accountId: string,
  rows: readonly OldBudgetDay[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from budget_days where account_id = $1 and (environment, budget_id, day) in (
       select environment, budget_id, day from budget_days where account_id = $1 and day < $2::date
         and (environment, budget_id, day) in (select * from unnest($3::text[], $4::text[], $5::date[])) for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.budgetId),
      rows.map((row) => row.day),
    ],
    'delete_old_budget_days',
  )
}
