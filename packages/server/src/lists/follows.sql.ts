import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** More campaigns than this are not shown with a list. */
const followersMax = 1_000

export interface FollowerRow {
  listId: string
  campaignId: string
  campaignName: string
  added: number
  skipped: number
  /** Whether the list has no member after the last one that the campaign took. */
  upToDate: boolean
}

/** The campaigns that follow one of the lists. */
export async function listFollowers(db: Executor, tenant: Tenant, listIds: readonly string[]): Promise<FollowerRow[]> {
  if (listIds.length === 0) return []
  return db.query<FollowerRow>(
    `select c.settings->>'followsListId' as list_id, c.id as campaign_id, c.name as campaign_name,
       coalesce(f.added, 0) as added, coalesce(f.skipped, 0) as skipped,
       not exists (select 1 from list_members m where m.account_id = $1 and m.environment = $2
         and m.list_id = c.settings->>'followsListId' and m.position > coalesce(f.position, 0)) as up_to_date
     from campaigns c
     left join list_follows f on f.account_id = $1 and f.environment = $2 and f.campaign_id = c.id
       and f.list_id = c.settings->>'followsListId'
     where c.account_id = $1 and c.environment = $2 and c.settings->>'followsListId' = any($3) and c.deleted_at is null
     order by c.id limit $4`,
    [tenant.accountId, tenant.environment, listIds, followersMax],
    'list_followers',
  )
}

/** How many of the addresses are leads of each of the campaigns. */
export async function countLeadsByCampaign(
  db: Executor,
  tenant: Tenant,
  { campaignIds, emails }: { campaignIds: readonly string[]; emails: readonly string[] },
): Promise<Map<string, number>> {
  const rows = await db.query<{ campaignId: string; count: number }>(
    `select campaign_id, count(*)::int as count from lead_profiles
     where account_id = $1 and environment = $2 and campaign_id = any($3) and email = any($4) group by campaign_id`,
    [tenant.accountId, tenant.environment, campaignIds, emails],
    'count_leads_by_campaign',
  )
  return new Map(rows.map(({ campaignId, count }) => [campaignId, count]))
}

/** The position up to which a campaign has followed the list. A campaign that followed another list begins at 0. */
export async function findFollowedPosition(
  db: Executor,
  tenant: Tenant,
  { campaignId, listId }: { campaignId: string; listId: string },
): Promise<number> {
  const [row] = await db.query<{ position: number }>(
    `select position::float8 as position from list_follows
     where account_id = $1 and environment = $2 and campaign_id = $3 and list_id = $4`,
    [tenant.accountId, tenant.environment, campaignId, listId],
    'find_followed_position',
  )
  return row?.position ?? 0
}

export async function upsertFollow(
  tx: Executor,
  tenant: Tenant,
  follow: { campaignId: string; listId: string; position: number; added: number; skipped: number },
): Promise<void> {
  await tx.execute(
    `insert into list_follows as f (account_id, environment, campaign_id, list_id, position, added, skipped)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, environment, campaign_id) do update set list_id = excluded.list_id, position = excluded.position,
       added = excluded.added + case when f.list_id = excluded.list_id then f.added else 0 end,
       skipped = excluded.skipped + case when f.list_id = excluded.list_id then f.skipped else 0 end`,
    [
      tenant.accountId,
      tenant.environment,
      follow.campaignId,
      follow.listId,
      follow.position,
      follow.added,
      follow.skipped,
    ],
    'upsert_follow',
  )
}
