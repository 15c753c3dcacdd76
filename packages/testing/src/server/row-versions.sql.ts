import type { Executor } from '@overture/server/platform/db/database.ts'

/** Tables that change with every request and without any: last use of keys, list of nodes, usage. */
const ownLife = ['api_keys', 'api_nodes', 'monthly_usage']

/** A digest of every other table, from its rows and the transactions that wrote them. It is equal if nothing was written in between. */
export async function dumpRowVersions(db: Executor): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname <> all($1) order by relname`,
    [ownLife],
  )
  const versions: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await db.query<{ digest: string }>(
      `select md5(coalesce(string_agg(t.xmin::text || t::text, ' ' order by t::text), '')) as digest from "${name}" t`,
    )
    versions[name] = row?.digest ?? ''
  }
  return versions
}
