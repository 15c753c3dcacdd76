import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { tagKey } from './tag-key.ts'

export interface TagRow {
  id: string
  name: string
  nameKey: string
  createdAt: Date
}

/** The place of a tag in the list. */
export interface TagPlace {
  nameKey: string
}

const columns = 'id, name, name_key, created_at'

/** By name. */
export async function listTags(db: Executor, tenant: Tenant, range: RowRange<TagPlace>): Promise<TagRow[]> {
  return db.query<TagRow>(
    `select ${columns} from tags where account_id = $1 and environment = $2 and ($3::text is null or name_key > $3)
     order by name_key limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after?.nameKey ?? null, range.limit, range.offset],
    'list_tags',
  )
}

/** By name. */
export async function listTagsById(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<TagRow[]> {
  return db.query<TagRow>(
    `select ${columns} from tags where account_id = $1 and environment = $2 and id = any($3) order by name_key`,
    [tenant.accountId, tenant.environment, ids],
    'list_tags_by_id',
  )
}

export async function countTags(db: Executor, tenant: Tenant): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from tags where account_id = $1 and environment = $2',
    [tenant.accountId, tenant.environment],
    'count_tags',
  )
  return row?.count ?? 0
}

export async function findTag(db: Executor, tenant: Tenant, id: string): Promise<TagRow | undefined> {
  const [row] = await db.query<TagRow>(
    `select ${columns} from tags where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_tag',
  )
  return row
}

/** Returns undefined if another tag has the name. */
export async function insertTag(
  db: Executor,
  tenant: Tenant,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<TagRow | undefined> {
  const [row] = await db.query<TagRow>(
    `insert into tags (account_id, environment, id, name, name_key, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, environment, name_key) do nothing returning ${columns}`,
    [tenant.accountId, tenant.environment, id, name, tagKey(name), now],
    'insert_tag',
  )
  return row
}

/** Finds the tag with the name, except the tag `id`. */
export async function findOtherTagByName(
  db: Executor,
  tenant: Tenant,
  { id, name }: { id: string | null; name: string },
): Promise<TagRow | undefined> {
  const [row] = await db.query<TagRow>(
    `select ${columns} from tags where account_id = $1 and environment = $2 and name_key = $3
       and ($4::text is null or id <> $4)`,
    [tenant.accountId, tenant.environment, tagKey(name), id],
    'find_other_tag_by_name',
  )
  return row
}

export async function updateTagName(
  db: Executor,
  tenant: Tenant,
  { id, name }: { id: string; name: string },
): Promise<TagRow | undefined> {
  const [row] = await db.query<TagRow>(
    `update tags set name = $4, name_key = $5 where account_id = $1 and environment = $2 and id = $3 returning ${columns}`,
    [tenant.accountId, tenant.environment, id, name, tagKey(name)],
    'update_tag_name',
  )
  return row
}

export async function deleteTag(db: Executor, tenant: Tenant, id: string): Promise<number> {
  return db.execute(
    'delete from tags where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_tag',
  )
}

/** A campaign, a person or a sending account. A lead and an address stand for their person. */
interface TaggedObject {
  /** The id in the request. It differs from `id` for a lead and for an address. */
  givenId: string
  kind: 'campaign' | 'person' | 'sending_account'
  id: string
}

/** The campaigns, people and sending accounts among `ids` that exist, locked against their deletion. */
export async function lockTaggedObjects(tx: Executor, tenant: Tenant, ids: readonly string[]): Promise<TaggedObject[]> {
  const values = [tenant.accountId, tenant.environment, ids]
  const campaigns = await tx.query<TaggedObject>(
    `select id as given_id, 'campaign' as kind, id from campaigns
     where account_id = $1 and environment = $2 and id = any($3) and deleted_at is null order by id for key share`,
    values,
    'lock_tagged_campaigns',
  )
  const people = await tx.query<TaggedObject>(
    `select p.id as given_id, 'person' as kind, p.id from people p
     where p.account_id = $1 and p.environment = $2 and p.id = any($3) order by p.id for key share`,
    values,
    'lock_tagged_people',
  )
  const leads = await tx.query<TaggedObject>(
    `select l.id as given_id, 'person' as kind, p.id from lead_profiles l
     join people p on p.account_id = $1 and p.environment = $2 and p.email = l.email
     where l.account_id = $1 and l.environment = $2 and l.id = any($3) order by p.id, l.id for key share of p`,
    values,
    'lock_people_of_leads',
  )
  const addresses = new Map(ids.filter((id) => id.includes('@')).map((id) => [id, normalizeEmail(id).email]))
  const addressed = await tx.query<{ email: string; id: string }>(
    `select p.email, p.id from people p
     where p.account_id = $1 and p.environment = $2 and p.email = any($3) order by p.id for key share`,
    [tenant.accountId, tenant.environment, [...addresses.values()]],
    'lock_people_of_addresses',
  )
  const personIds = new Map(addressed.map(({ email, id }) => [email, id]))
  const byAddress = [...addresses].flatMap(([givenId, email]): TaggedObject[] => {
    const id = personIds.get(email)
    return id === undefined ? [] : [{ givenId, kind: 'person', id }]
  })
  const senders = await tx.query<TaggedObject>(
    `select id as given_id, 'sending_account' as kind, id from sending_accounts
     where account_id = $1 and environment = $2 and id = any($3) order by id for key share`,
    values,
    'lock_tagged_senders',
  )
  return [...campaigns, ...people, ...leads, ...byAddress, ...senders]
}

/** Returns the ids that did not have the tag. */
export async function insertTaggings(
  tx: Executor,
  tenant: Tenant,
  { tagId, objects }: { tagId: string; objects: readonly TaggedObject[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `insert into taggings (account_id, environment, tag_id, object_id, campaign_id, person_id, sending_account_id)
     select a.account_id, $2, $3, o.id, case when o.kind = 'campaign' then o.id end, case when o.kind = 'person' then o.id end,
       case when o.kind = 'sending_account' then o.id end
     from accounts a, unnest($4::text[], $5::text[]) o (id, kind) where a.account_id = $1
     on conflict (account_id, environment, object_id, tag_id) do nothing returning object_id as id`,
    [tenant.accountId, tenant.environment, tagId, objects.map(({ id }) => id), objects.map(({ kind }) => kind)],
    'insert_taggings',
  )
  return rows.map(({ id }) => id)
}

/** Returns the ids that had the tag. */
export async function deleteTaggings(
  tx: Executor,
  tenant: Tenant,
  { tagId, objects }: { tagId: string; objects: readonly TaggedObject[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `delete from taggings where account_id = $1 and environment = $2 and tag_id = $3 and object_id = any($4)
     returning object_id as id`,
    [tenant.accountId, tenant.environment, tagId, objects.map(({ id }) => id)],
    'delete_taggings',
  )
  return rows.map(({ id }) => id)
}
