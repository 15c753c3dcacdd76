import type { VariableNames } from '../campaigns/leads/lead.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { MemberRow, NewMember } from './member.ts'

const columns = `email, email_given, position::float8 as position, fields, added_at, updated_at`

/** By address. With `from` and `to`, only addresses from the one to the other. */
export async function listMembers(
  db: Executor,
  tenant: Tenant,
  { listId, from, to }: { listId: string; from: string; to: string | null },
  range: RowRange<string>,
): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `select ${columns} from list_members where account_id = $1 and environment = $2 and list_id = $3
       and email >= $4 and ($5::text is null or email < $5) and ($6::text is null or email > $6)
     order by email limit $7 offset $8`,
    [tenant.accountId, tenant.environment, listId, from, to, range.after, range.limit, range.offset],
    'list_members',
  )
}

/** Counts to `max`. */
export async function countMembers(
  db: Executor,
  tenant: Tenant,
  { listId, from, to, max }: { listId: string; from: string; to: string; max: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from list_members where account_id = $1 and environment = $2 and list_id = $3
       and email >= $4 and email < $5 limit $6) found`,
    [tenant.accountId, tenant.environment, listId, from, to, max],
    'count_members',
  )
  return row?.count ?? 0
}

/** The next members in the order in which they were added. */
export async function listMembersAfter(
  db: Executor,
  tenant: Tenant,
  { listId, position, limit }: { listId: string; position: number; limit: number },
): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `select ${columns} from list_members where account_id = $1 and environment = $2 and list_id = $3 and position > $4
     order by position limit $5`,
    [tenant.accountId, tenant.environment, listId, position, limit],
    'list_members_after',
  )
}

/** The names of the custom variables of members, by address. No other request adds any while the list is locked. */
export async function listMemberVariables(
  tx: Executor,
  tenant: Tenant,
  { listId, emails }: { listId: string; emails: readonly string[] },
): Promise<VariableNames> {
  const rows = await tx.query<{ email: string; names: string[] }>(
    `select email, array(select jsonb_object_keys(fields->'customVariables')) as names from list_members
     where account_id = $1 and environment = $2 and list_id = $3 and email = any($4)`,
    [tenant.accountId, tenant.environment, listId, emails],
    'list_member_variables',
  )
  return new Map(rows.map(({ email, names }) => [email, names]))
}

/** Adds members after a position, each address once. Known ones get the fields that are given. Returns the addresses that are new. */
export async function upsertMembers(
  tx: Executor,
  tenant: Tenant,
  { listId, after, members, now }: { listId: string; after: number; members: readonly NewMember[]; now: Date },
): Promise<Set<string>> {
  const rows = await tx.query<{ email: string; isNew: boolean }>(
    `insert into list_members as m (account_id, environment, list_id, email, email_given, position, fields, added_at, updated_at)
     select a.account_id, $2, $3, n.email, n.email_given, $4 + n.number, n.fields, $5, $5
     from accounts a, unnest($6::text[], $7::text[], $8::jsonb[]) with ordinality n (email, email_given, fields, number)
     where a.account_id = $1
     on conflict (account_id, environment, list_id, email) do update
       set email_given = excluded.email_given, updated_at = excluded.updated_at,
         fields = jsonb_set(m.fields || excluded.fields, '{customVariables}',
           coalesce(m.fields->'customVariables', '{}') || coalesce(excluded.fields->'customVariables', '{}'))
     returning m.email, m.position > $4 as is_new`,
    [
      tenant.accountId,
      tenant.environment,
      listId,
      after,
      now,
      members.map(({ email }) => email),
      members.map(({ emailGiven }) => emailGiven),
      members.map(({ fields }) => JSON.stringify(fields)),
    ],
    'upsert_members',
  )
  return new Set(rows.filter(({ isNew }) => isNew).map(({ email }) => email))
}

/** Returns the addresses that were removed. */
export async function deleteMembers(
  tx: Executor,
  tenant: Tenant,
  { listId, emails }: { listId: string; emails: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ email: string }>(
    `delete from list_members where account_id = $1 and environment = $2 and list_id = $3 and email = any($4) returning email`,
    [tenant.accountId, tenant.environment, listId, emails],
    'delete_members',
  )
  return rows.map(({ email }) => email)
}
