import { noContactPolicy, type ContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface StoredPolicy {
  policy: ContactPolicy
  /** The zone whose days the limits count. */
  timezone: string
}

/** The policy with the account's zone. A field that was never stored is off. */
export async function findPolicy(db: Executor, tenant: Tenant): Promise<StoredPolicy> {
  const [row] = await db.query<{ policy: Partial<ContactPolicy> | null; timezone: string }>(
    `select p.policy, a.default_timezone as timezone from accounts a
     left join contact_policies p on p.account_id = $1 and p.environment = $2 where a.account_id = $1`,
    [tenant.accountId, tenant.environment],
    'find_policy',
  )
  return { policy: { ...noContactPolicy, ...row?.policy }, timezone: row?.timezone ?? 'UTC' }
}

/** Creates the row that the next statement locks. */
export async function insertPolicy(
  db: Executor,
  tenant: Tenant,
  { policy, now }: { policy: ContactPolicy; now: Date },
): Promise<void> {
  await db.execute(
    `insert into contact_policies (account_id, environment, policy, updated_at) values ($1, $2, $3, $4)
     on conflict (account_id, environment) do nothing`,
    [tenant.accountId, tenant.environment, JSON.stringify(policy), now],
    'insert_policy',
  )
}

export async function lockPolicy(db: Executor, tenant: Tenant): Promise<ContactPolicy> {
  const rows = await db.query<{ policy: ContactPolicy }>(
    `select policy from contact_policies where account_id = $1 and environment = $2 for update`,
    [tenant.accountId, tenant.environment],
    'lock_policy',
  )
  return rows[0]!.policy
}

export async function updatePolicy(
  db: Executor,
  tenant: Tenant,
  { policy, now }: { policy: ContactPolicy; now: Date },
): Promise<void> {
  await db.execute(
    `update contact_policies set policy = $3, updated_at = $4 where account_id = $1 and environment = $2`,
    [tenant.accountId, tenant.environment, JSON.stringify(policy), now],
    'update_policy',
  )
}
