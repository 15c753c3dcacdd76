import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { superuserName } from '../superuser.ts'

/** Makes a database behave like one with Citus. Only sessions opened afterwards see the change. */
export async function installCitusDouble(client: pg.Client): Promise<void> {
  await letRequestsLogIn(client)
  const { host, port, database, user = '' } = client
  // As with Citus itself, a superuser adds the extension and the owner of the database uses it.
  const superuser = new pg.Client({
    host,
    port,
    ...(database !== undefined && { database }),
    user: superuserName(user),
  })
  await superuser.connect()
  try {
    await superuser.query(await readFile(new URL('citus-double.sql', import.meta.url), 'utf8'))
    await superuser.query(
      'grant all on schema citus_double to public; grant all on all tables in schema citus_double to public',
    )
  } finally {
    await superuser.end()
  }
  await client.query('set search_path = public, citus_double')
}

/** The calls of Citus functions that the double recorded, in order. */
export async function listCalls(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ call: string }>('select call from citus_double.calls order by place')
  return rows.map(({ call }) => call)
}

/** Gives one node of the double a different value of a server setting. */
export async function setOnNode(client: pg.ClientBase, nodeId: number, name: string, value: string): Promise<void> {
  await client.query(
    `insert into citus_double.node_settings values ($1, $2, $3) on conflict (nodeid, name) do update set value = excluded.value`,
    [nodeId, name, value],
  )
}

const triesMax = 20

/** Retries, since the role belongs to the whole server: PostgreSQL rejects one of two test files that change it at the same moment. */
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
