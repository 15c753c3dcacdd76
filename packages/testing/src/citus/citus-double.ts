import { readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Makes a database answer as one with Citus; sessions that are opened from now on see it. */
export async function installCitusDouble(client: pg.ClientBase): Promise<void> {
  await letRequestsLogIn(client)
  await client.query(await readFile(new URL('citus-double.sql', import.meta.url), 'utf8'))
  await client.query('set search_path = public, citus_double')
}

/** What was asked of it, in order. */
export async function callsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ call: string }>('select call from citus_double.calls order by place')
  return rows.map(({ call }) => call)
}

/** A server of it that is set up otherwise. */
export async function setOnNode(client: pg.ClientBase, nodeId: number, name: string, value: string): Promise<void> {
  await client.query(
    `insert into citus_double.node_settings values ($1, $2, $3) on conflict (nodeid, name) do update set value = excluded.value`,
    [nodeId, name, value],
  )
}

const triesMax = 20

/** The role is the server's, and two files that changed it in the same moment would be told so. */
async function letRequestsLogIn(client: pg.ClientBase): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`do $$ begin
        if exists (select from pg_roles where rolname = 'overture_request' and not rolcanlogin) then
          alter role overture_request login;
        end if; end $$`)
      return
    } catch (error) {
      if (tries >= triesMax || !/concurrently updated/.test((error as Error).message)) throw error
    }
  }
}
