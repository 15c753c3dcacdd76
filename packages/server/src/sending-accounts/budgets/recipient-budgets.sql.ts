import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { budgetPrefixes } from './recipient-budget.ts'

/** The UTC day of a claim, by which budgets count it. */
export const claimDay = (claim: string): string => `(${claim}.claimed_at at time zone 'UTC')::date`

/** The domain of a sender's address. `s` is the sender. */
const senderDomain = `lower(split_part(s.email, '@', 2))`

/**
 * A sender's budgets: `s` is the sender, and the expression for the day is a date in UTC. In an environment without budgets the
 * organizations of the senders are not looked up.
 */
export const budgetsOfSender = (day: string): string => `case when exists (
    select 1 from recipient_budgets e where e.account_id = $1 and e.environment = $2) then (
  select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'limit', b.daily_external_recipients,
    'claimed', coalesce(u.claimed, 0), 'day', ${day}) order by b.id)
  from recipient_budgets b
  left join budget_days u on u.account_id = $1 and u.environment = $2 and u.budget_id = b.id and u.day = ${day}
  where b.account_id = $1 and b.environment = $2 and b.id in ('${budgetPrefixes.domain}' || ${senderDomain},
    '${budgetPrefixes.organization}' || coalesce(
    (select c.organization from tenant_connections c
     where c.account_id = $1 and c.environment = $2 and c.id = s.tenant_connection_id),
    s.organization,
    -- A login by password names no organization, so its domain does.
    (select c.organization from tenant_connections c
     where c.account_id = $1 and c.environment = $2 and c.domain = ${senderDomain} order by c.id limit 1)))) end`

/**
 * Adds claims to the days of their budgets, or subtracts them. `source` is a query with a column `day` and a column `budgets`, which
 * has each id once per recipient.
 */
export function countBudgets(source: string, sign: string): string {
  return `insert into budget_days as u (account_id, environment, budget_id, day, claimed)
    select $1, $2, b.id, k.day, ${sign} * count(*) from (${source}) k cross join lateral unnest(k.budgets) b (id)
    group by 3, 4 order by 3, 4
    on conflict (account_id, environment, budget_id, day) do update set claimed = greatest(0, u.claimed + excluded.claimed)`
}

/** Lists the counts of budgets on a day with their limits. A budget without a limit is missing. */
export async function listBudgetDays(
  db: Executor,
  tenant: Tenant,
  { ids, day }: { ids: readonly string[]; day: string },
): Promise<{ id: string; limit: number; claimed: number }[]> {
  return db.query(
    `select b.id, b.daily_external_recipients as limit, u.claimed from recipient_budgets b
     join budget_days u on u.account_id = $1 and u.environment = $2 and u.budget_id = b.id and u.day = $4::date
     where b.account_id = $1 and b.environment = $2 and b.id = any($3)`,
    [tenant.accountId, tenant.environment, ids, day],
    'list_budget_days',
  )
}

interface BudgetRow {
  id: string
  name: string
  dailyExternalRecipients: number
}

export async function upsertRecipientBudget(tx: Executor, tenant: Tenant, budget: BudgetRow): Promise<void> {
  await tx.execute(
    `insert into recipient_budgets (account_id, environment, id, name, daily_external_recipients) values ($1, $2, $3, $4, $5)
     on conflict (account_id, environment, id) do update
       set name = excluded.name, daily_external_recipients = excluded.daily_external_recipients`,
    [tenant.accountId, tenant.environment, budget.id, budget.name, budget.dailyExternalRecipients],
    'upsert_recipient_budget',
  )
}

export async function deleteRecipientBudget(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute(
    'delete from recipient_budgets where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_recipient_budget',
  )
}

/** Deletes the budget of an organization that has no connection any more, because nothing shows it then. */
export async function deleteStrandedBudget(tx: Executor, tenant: Tenant, organization: string): Promise<void> {
  await tx.execute(
    `delete from recipient_budgets where account_id = $1 and environment = $2 and id = '${budgetPrefixes.organization}' || $3
       and not exists (select 1 from tenant_connections c where c.account_id = $1 and c.environment = $2 and c.organization = $3)`,
    [tenant.accountId, tenant.environment, organization],
    'delete_stranded_budget',
  )
}
