import type { Executor } from '@overture/server/platform/db/database.ts'

/** Written by whatever is asked, and while nothing is: when a key was used last, which nodes there are. */
const ownLife = ['api_keys', 'api_nodes', 'monthly_usage']

/** What every other table holds, row by row, and the transaction that wrote each: the same again where nothing was written. */
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
