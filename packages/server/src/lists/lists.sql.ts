import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface ListRow {
  id: string
  name: string
  description: string
  memberCount: number
  lastPosition: number
  createdAt: Date
  updatedAt: Date
}

const columns = `id, name, description, member_count, last_position::float8 as last_position, created_at, updated_at`
const matching = `account_id = $1 and environment = $2 and ($3::text is null or strpos(lower(name), lower($3)) > 0)`

/** Newest first. */
export async function listLists(
  db: Executor,
  tenant: Tenant,
  q: string | null,
  range: RowRange<string>,
): Promise<ListRow[]> {
  return db.query<ListRow>(
    `select ${columns} from lists where ${matching} and ($4::text is null or id < $4) order by id desc limit $5 offset $6`,
    [tenant.accountId, tenant.environment, q, range.after, range.limit, range.offset],
    'list_lists',
  )
}

export async function countLists(db: Executor, tenant: Tenant, q: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from lists where ${matching}`,
    [tenant.accountId, tenant.environment, q],
    'count_lists',
  )
  return row?.count ?? 0
}

export async function findList(db: Executor, tenant: Tenant, id: string): Promise<ListRow | undefined> {
  const [row] = await db.query<ListRow>(
    `select ${columns} from lists where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_list',
  )
  return row
}

/** A change of members locks the list, so that positions are committed in their order. */
export async function lockList(tx: Executor, tenant: Tenant, id: string): Promise<ListRow | undefined> {
  const [row] = await tx.query<ListRow>(
    `select ${columns} from lists where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_list',
  )
  return row
}

export async function insertList(
  db: Executor,
  tenant: Tenant,
  list: { id: string; name: string; description: string; now: Date },
): Promise<ListRow> {
  const [row] = await db.query<ListRow>(
    `insert into lists (account_id, environment, id, name, description, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6) returning ${columns}`,
    [tenant.accountId, tenant.environment, list.id, list.name, list.description, list.now],
    'insert_list',
  )
  return row!
}

export async function updateList(
  db: Executor,
  tenant: Tenant,
  list: { id: string; name: string; description: string; now: Date },
): Promise<void> {
  await db.execute(
    `update lists set name = $4, description = $5, updated_at = $6 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, list.id, list.name, list.description, list.now],
    'update_list',
  )
}

export async function updateListMembers(
  db: Executor,
  tenant: Tenant,
  change: { id: string; added: number; lastPosition: number; now: Date },
): Promise<void> {
  await db.execute(
    `update lists set member_count = member_count + $4, last_position = $5, updated_at = $6
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, change.id, change.added, change.lastPosition, change.now],
    'update_list_members',
  )
}

export async function deleteList(db: Executor, tenant: Tenant, id: string): Promise<void> {
  await db.execute(
    'delete from lists where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_list',
  )
}
