import { finishedReasonList, openList } from '@overture/ground/lead-statuses.ts'
import type { CampaignStatus, Schedule, Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { Condition, Entry } from '@overture/contract/campaigns/conditions.ts'
import type { BlockedReason } from '@overture/contract/campaigns/leads.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import { currentCause } from '../platform/traces/traces.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasTag, tagIdsColumn } from '../tags/index.ts'
import { settingsColumn } from './stored-settings.ts'
import { sequenceOfCampaign, type SequenceRow } from './sequence/sequence.sql.ts'

export interface CampaignRow {
  id: string
  name: string
  status: CampaignStatus
  statusReason: string | null
  schedule: Schedule
  settings: Settings
  sendingAccountIds: string[]
  entry: Entry | null
  ownerId: string | null
  tagIds: string[]
  /** How many times the sequence of the campaign was replaced. */
  sequenceVersion: number
  leadCount: number
  holdReason: BlockedReason | null
  holdUntil: Date | null
  createdAt: Date
  updatedAt: Date
  launchedAt: Date | null
  completedAt: Date | null
}

// Schedules that were stored before the field `holidays` existed lack it.
const columns = `id, name, status, status_reason, '{"holidays": null}'::jsonb || schedule as schedule, ${settingsColumn},
  sending_account_ids, entry, owner_id, sequence_version, lead_count, hold_reason, hold_until, created_at, updated_at,
  launched_at, completed_at, ${tagIdsColumn('id')}`

export async function findCampaignRow(db: Executor, tenant: Tenant, id: string): Promise<CampaignRow | undefined> {
  const [row] = await db.query<CampaignRow>(
    `select ${columns} from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenant.accountId, tenant.environment, id],
    'find_campaign',
  )
  return row
}

/** A campaign with its sequence, in one statement. */
export async function findCampaignWithSequence(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<(CampaignRow & { sequence: SequenceRow }) | undefined> {
  const [row] = await db.query<CampaignRow & { sequence: SequenceRow }>(
    `select ${columns}, ${sequenceOfCampaign} as sequence from campaigns c
     where account_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenant.accountId, tenant.environment, id],
    'find_campaign_with_sequence',
  )
  return row
}

/** Locks the campaign's row for the rest of the transaction, so that two actions on one campaign run one after the other. */
export async function lockCampaignRow(db: Executor, tenant: Tenant, id: string): Promise<CampaignRow | undefined> {
  const [row] = await db.query<CampaignRow>(
    `select ${columns} from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is null for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_campaign',
  )
  return row
}

/** The campaigns among `ids` that exist, ordered by id. */
export async function listCampaignsById(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<CampaignRow[]> {
  if (ids.length === 0) return []
  return db.query<CampaignRow>(
    `select ${columns} from campaigns where account_id = $1 and environment = $2 and id = any($3) and deleted_at is null order by id`,
    [tenant.accountId, tenant.environment, ids],
    'list_campaigns_by_id',
  )
}

/** A started campaign that takes over leads of other campaigns. */
export interface EntryRow {
  id: string
  status: CampaignStatus
  from: 'any' | string[]
  when: Condition
}

const entriesMax = 1_000

/** Campaigns that take over leads of the given ones, oldest first. With `id`, only that campaign, whatever its sources are. */
export async function listEntries(
  db: Executor,
  tenant: Tenant,
  sourceIds: readonly string[],
  id: string | null = null,
): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    `select id, status, entry->'from' as "from", entry->'when' as "when" from campaigns
     where account_id = $1 and environment = $2 and entry is not null and deleted_at is null and status <> 'draft'
       and entry->'when' <> 'null'::jsonb
       and case when $4::text is null then entry->'from' = '"any"'::jsonb or entry->'from' ?| $3::text[] else id = $4 end
     order by id limit $5`,
    [tenant.accountId, tenant.environment, sourceIds, id, entriesMax],
    'list_entries',
  )
}

export interface CampaignFilter {
  status?: CampaignStatus
  q?: string
  ownerId?: string
  tagId?: string
}

const matching = `account_id = $1 and environment = $2 and deleted_at is null
  and ($3::text is null or status = $3) and ($4::text is null or strpos(lower(name), lower($4)) > 0)
  and ($5::text is null or owner_id = $5) and ${hasTag('$6', 'id')}`

function filterValues(tenant: Tenant, { status, q, ownerId, tagId }: CampaignFilter): unknown[] {
  return [tenant.accountId, tenant.environment, status ?? null, q ?? null, ownerId ?? null, tagId ?? null]
}

export async function listCampaignRows(
  db: Executor,
  tenant: Tenant,
  filter: CampaignFilter,
  range: RowRange<string>,
): Promise<CampaignRow[]> {
  return db.query<CampaignRow>(
    `select ${columns} from campaigns where ${matching} and ($7::text is null or id < $7) order by id desc limit $8 offset $9`,
    [...filterValues(tenant, filter), range.after, range.limit, range.offset],
    'list_campaigns',
  )
}

export async function countCampaigns(db: Executor, tenant: Tenant, filter: CampaignFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from campaigns where ${matching}`,
    filterValues(tenant, filter),
    'count_campaigns',
  )
  return row?.count ?? 0
}

interface NewCampaign {
  id: string
  name: string
  schedule: Schedule
  settings: Settings
  sendingAccountIds: string[]
  entry: Entry | null
  ownerId: string | null
  now: Date
}

export async function insertCampaign(db: Executor, tenant: Tenant, campaign: NewCampaign): Promise<void> {
  await db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids, created_at,
       updated_at, owner_id, entry)
     values ($1, $2, $3, $4, 'draft', $5, $6, $7, $8, $8, $9, $10)`,
    [
      tenant.accountId,
      tenant.environment,
      campaign.id,
      campaign.name,
      JSON.stringify(campaign.schedule),
      JSON.stringify(campaign.settings),
      campaign.sendingAccountIds,
      campaign.now,
      campaign.ownerId,
      campaign.entry === null ? null : JSON.stringify(campaign.entry),
    ],
    'insert_campaign',
  )
}

export async function updateCampaignContent(
  db: Executor,
  tenant: Tenant,
  campaign: NewCampaign & Pick<CampaignRow, 'sequenceVersion'>,
): Promise<void> {
  await db.execute(
    `update campaigns set name = $4, schedule = $5, settings = $6, sending_account_ids = $7, updated_at = $8, owner_id = $9,
       entry = $10, sequence_version = $11
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      campaign.id,
      campaign.name,
      JSON.stringify(campaign.schedule),
      JSON.stringify(campaign.settings),
      campaign.sendingAccountIds,
      campaign.now,
      campaign.ownerId,
      campaign.entry === null ? null : JSON.stringify(campaign.entry),
      campaign.sequenceVersion,
    ],
    'update_campaign_content',
  )
}

interface StatusChange {
  id: string
  status: CampaignStatus
  reason: string | null
  now: Date
}

/** `launched_at` is the time of the first start. `completed_at` is set only while the campaign is completed. */
export async function updateCampaignStatus(db: Executor, tenant: Tenant, change: StatusChange): Promise<void> {
  await db.execute(
    `update campaigns set status = $4, status_reason = $5, updated_at = greatest($6, updated_at), hold_reason = null, hold_until = null,
       launched_at = case when $4 in ('active', 'scheduled') then coalesce(launched_at, $6) else launched_at end,
       completed_at = case when $4 = 'completed' then $6 end
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, change.id, change.status, change.reason, change.now],
    'update_campaign_status',
  )
}

export async function markCampaignDeleted(db: Executor, tenant: Tenant, id: string, now: Date): Promise<void> {
  await db.execute(`update campaigns set deleted_at = $4 where account_id = $1 and environment = $2 and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
    now,
  ])
}

/** The condition that the row `p` of `lead_progress` keeps its campaign from completing. */
export const keepsCampaignOpen = `p.status in ${openList} and coalesce(p.blocked_reason, '') not in ${finishedReasonList}`

// A condition on the row `c` of `campaigns`.
const hasNothingLeft = `c.lead_count > 0 and not exists (
  select 1 from lead_progress p
  where p.account_id = $1 and p.environment = $2 and p.campaign_id = c.id and ${keepsCampaignOpen})`

/**
 * Locks active campaigns among `ids` in which no lead has anything left to do. The condition is checked again after the lock:
 * until then another transaction may have added leads, which the waiting statement does not see.
 */
export async function lockFinishedCampaigns(
  tx: Transaction,
  tenant: Tenant,
  ids: readonly string[],
): Promise<CampaignRow[]> {
  const locked = await tx.query<CampaignRow>(
    `select ${columns} from campaigns c
     where account_id = $1 and environment = $2 and id = any($3) and status = 'active' and deleted_at is null
       and ${hasNothingLeft}
     for update`,
    [tenant.accountId, tenant.environment, ids],
    'lock_finished_campaigns',
  )
  if (locked.length === 0) return []
  const finished = await tx.query<{ id: string }>(
    `select c.id from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = any($3) and ${hasNothingLeft}`,
    [tenant.accountId, tenant.environment, locked.map(({ id }) => id)],
    'list_finished_campaigns',
  )
  return locked.filter(({ id }) => finished.some((one) => one.id === id))
}

export async function addToLeadCount(db: Executor, tenant: Tenant, id: string, added: number): Promise<void> {
  await db.execute(
    `update campaigns set lead_count = lead_count + $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, added],
    'add_to_lead_count',
  )
}

/** Makes the planner check this tenant at `at` or earlier. Writes nothing if an earlier check is stored already. */
export async function upsertPlanning(db: Executor, tenant: Tenant, at: Date): Promise<void> {
  await db.execute(
    `insert into planning as p (account_id, environment, next_plan_at, trace) values ($1, $2, $3, $4)
     on conflict (account_id, environment) do update set next_plan_at = least(p.next_plan_at, excluded.next_plan_at),
       trace = coalesce(excluded.trace, p.trace)
     where p.next_plan_at is null or p.next_plan_at > excluded.next_plan_at or excluded.trace is not null`,
    [tenant.accountId, tenant.environment, at, currentCause()],
    'upsert_planning',
  )
}

export async function notifyPlanner(db: Executor): Promise<void> {
  await db.query(`select pg_notify('overture_planning', '')`, [], 'notify_planner')
}
