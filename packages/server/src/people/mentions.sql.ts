import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Tables whose rows belong to an account and an environment, except those in `except`. */
export async function listTenantTables(db: Executor, except: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
       and 2 = (select count(*) from pg_attribute a
         where a.attrelid = c.oid and a.attname in ('account_id', 'environment') and not a.attisdropped)
     order by c.relname`,
    [except],
  )
  return rows.map((row) => row.name)
}

/** Removes an address from all texts of a table. `spellings` are the ways it is written in stored bytes, the normalised one first. */
export async function updateMentions(
  db: Executor,
  tenant: Tenant,
  mentions: { table: string; spellings: readonly string[] },
): Promise<number> {
  const [row] = await db.query<{ count: number }>('select forget_mentions($1, $2, $3::regclass, $4)::int as count', [
    tenant.accountId,
    tenant.environment,
    mentions.table,
    mentions.spellings,
  ])
  return row?.count ?? 0
}

/** The address as it was originally given, for each of the person's leads. */
export async function listSpellings(db: Executor, tenant: Tenant, leadIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ given: string }>(
    `select distinct email_given as given from lead_profiles
     where account_id = $1 and environment = $2 and id = any($3) and email_given is not null limit 100`,
    [tenant.accountId, tenant.environment, leadIds],
  )
  return rows.map((row) => row.given)
}
