import type pg from 'pg'
import type { ServerFacts } from './server-facts.ts'

export async function findServerFacts(client: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
       exists (select from pg_extension where extname = 'citus') as "hasCitus",
       current_setting('synchronous_commit') as "synchronousCommit"`,
  )
  return rows[0]!
}
