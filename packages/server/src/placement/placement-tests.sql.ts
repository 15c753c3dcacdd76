import type { PlacementRepeat, PlacementTest, RepeatEnd } from '@overture/contract/placement/placement-tests.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface PlacementTestRow
  extends
    Omit<PlacementTest, 'counts' | 'nextRunAt' | 'createdAt' | 'completedAt'>,
    Record<'pending' | 'inbox' | 'tab' | 'spam' | 'missing' | 'unknown', number> {
  nextRunAt: Date | null
  createdAt: Date
  completedAt: Date | null
}

const columns = `t.id, t.status, t.campaign_id, t.step_id, t.variant_id, t.template_id, t.lead_id, t.sending_account_ids,
  t.seed_mailbox_ids, t.repeat, t.next_run_at, t.repeat_ended_because, t.created_at, t.completed_at`
const placed = (name: string): string =>
  `coalesce((count(r.id) filter (where r.placement = '${name}' and r.problem is null)), 0)::int as ${name}`
const counts = `${['pending', 'inbox', 'tab', 'spam', 'missing'].map(placed).join(', ')},
  (count(r.id) filter (where r.problem is not null))::int as unknown`
const results = `left join placement_results r on r.account_id = $1 and r.environment = $2 and r.placement_test_id = t.id`

interface NewPlacementTest {
  id: string
  campaignId: string | null
  stepId: string | null
  variantId: string | null
  templateId: string | null
  leadId: string | null
  sendingAccountIds: readonly string[]
  seedMailboxIds: readonly string[]
  repeat: PlacementRepeat
  nextRunAt: Date | null
  now: Date
}

export async function insertPlacementTest(tx: Executor, tenant: Tenant, row: NewPlacementTest): Promise<void> {
  await tx.execute(
    `insert into placement_tests (account_id, environment, id, status, campaign_id, step_id, variant_id, template_id, lead_id,
       sending_account_ids, seed_mailbox_ids, repeat, next_run_at, created_at)
     values ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.campaignId,
      row.stepId,
      row.variantId,
      row.templateId,
      row.leadId,
      row.sendingAccountIds,
      row.seedMailboxIds,
      row.repeat,
      row.nextRunAt,
      row.now,
    ],
    'insert_placement_test',
  )
}

/** Counts tests that were started after a time, up to a limit. */
export async function countNewPlacementTests(
  db: Executor,
  tenant: Tenant,
  { since, limit }: { since: Date; limit: number },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from placement_tests where account_id = $1 and environment = $2 and created_at > $3 limit $4) t`,
    [tenant.accountId, tenant.environment, since, limit],
    'count_new_placement_tests',
  )
  return rows[0]?.count ?? 0
}

export async function findPlacementTest(db: Executor, tenant: Tenant, id: string): Promise<PlacementTestRow | null> {
  const rows = await db.query<PlacementTestRow>(
    `select ${columns}, ${counts} from placement_tests t ${results}
     where t.account_id = $1 and t.environment = $2 and t.id = $3 group by t.account_id, t.environment, t.id`,
    [tenant.accountId, tenant.environment, id],
    'find_placement_test',
  )
  return rows[0] ?? null
}

export async function listPlacementTests(
  db: Executor,
  tenant: Tenant,
  campaignId: string | null,
  range: RowRange<string>,
): Promise<PlacementTestRow[]> {
  return db.query<PlacementTestRow>(
    `select ${columns}, ${counts} from placement_tests t ${results}
     where t.account_id = $1 and t.environment = $2 and ($3::text is null or t.campaign_id = $3) and ($4::text is null or t.id < $4)
     group by t.account_id, t.environment, t.id order by t.id desc limit $5 offset $6`,
    [tenant.accountId, tenant.environment, campaignId, range.after, range.limit, range.offset],
    'list_placement_tests',
  )
}

export async function countPlacementTests(db: Executor, tenant: Tenant, campaignId: string | null): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from placement_tests
     where account_id = $1 and environment = $2 and ($3::text is null or campaign_id = $3)`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_placement_tests',
  )
  return rows[0]?.count ?? 0
}

/** Completes a running test. Returns false if it was completed before. */
export async function updatePlacementCompleted(tx: Executor, tenant: Tenant, id: string, now: Date): Promise<boolean> {
  const changed = await tx.execute(
    `update placement_tests set status = 'completed', completed_at = $4
     where account_id = $1 and environment = $2 and id = $3 and status = 'running'`,
    [tenant.accountId, tenant.environment, id, now],
    'update_placement_completed',
  )
  return changed === 1
}

/** Takes over the repetition of a test. Returns false if it is not repeated any more. */
export async function updateRepeatEnded(
  tx: Executor,
  tenant: Tenant,
  { id, because }: { id: string; because: RepeatEnd | null },
): Promise<boolean> {
  const changed = await tx.execute(
    `update placement_tests set next_run_at = null, repeat_ended_because = $4,
       repeat = case when $4::text is null then repeat else 'none' end
     where account_id = $1 and environment = $2 and id = $3 and next_run_at is not null`,
    [tenant.accountId, tenant.environment, id, because],
    'update_repeat_ended',
  )
  return changed === 1
}

/** The first lead of a campaign, whose values a test has if none is named. */
export async function findFirstLead(db: Executor, tenant: Tenant, campaignId: string): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    `select l.id from lead_profiles l where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 order by l.id limit 1`,
    [tenant.accountId, tenant.environment, campaignId],
    'find_first_lead',
  )
  return rows[0]?.id ?? null
}

export async function listPresentSenders(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from sending_accounts where account_id = $1 and environment = $2 and id = any($3)',
    [tenant.accountId, tenant.environment, ids],
    'list_senders_of_placement',
  )
  return rows.map(({ id }) => id)
}
