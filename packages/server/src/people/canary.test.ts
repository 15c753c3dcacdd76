import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTestLead } from '@overture/testing/delivery/lead-fixtures.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { peopleJobs, peopleRoutes } from './index.ts'
import { tablesNotSearched } from './people.jobs.ts'

const email = 'canary@example.com'
const given = 'Canary@Example.com'
/** Another's address, of which the one that is erased is a part. */
const other = 'other.canary@example.com'

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  server = await startTestServer({
    routes: () => peopleRoutes({ updateLead: () => Promise.resolve(undefined), stopLead: () => Promise.resolve(true) }),
  })
  client = new pg.Client({ connectionString: server.database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

interface Column {
  table: string
  name: string
  type: string
  /** In a key, or a reference to one. */
  isKey: boolean
  needed: boolean
  /** The first of the values that a check allows. */
  allowed: string | null
}

async function listColumns(): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as needed,
       exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey::smallint[]))
         or exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey)) as "isKey",
       (select (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)''::text'))[1] from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) ~ 'ARRAY|= ''' order by k.oid limit 1) as allowed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = ''
       and a.attidentity = ''
       and 2 = (select count(*) from pg_attribute t where t.attrelid = c.oid and t.attname in ('account_id', 'environment'))
     order by c.relname, a.attnum`,
  )
  return rows
}

const canaries: Record<string, unknown> = {
  text: `Somebody wrote to <${given}>, and to ${other}.`,
  jsonb: JSON.stringify({ deep: [{ email, said: `see ${given}` }] }),
  'text[]': [email, `to: ${given}`],
  bytea: Buffer.concat([Buffer.from(`Cc: ${email}\r\n\r\n`), Buffer.from([0]), Buffer.from(`mailto:${given}`)]),
}
/** Of these the elements are read. */
const lists = new Set(['attendees', 'to_addresses', 'cc_addresses', 'bcc_addresses', 'attachments'])
const fillers: Record<string, unknown> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  integer: 1,
  smallint: 1,
  bigint: 1,
  numeric: 1,
  boolean: false,
  date: '2026-03-02',
  xid8: '3',
  'timestamp with time zone': new Date(),
  'integer[]': [],
  interval: '1 day',
}

const tenantColumns = new Set(['account_id', 'environment'])

function valueOf(column: Column, salt: string): unknown {
  if (column.name === 'account_id') return server.tenant.accountId
  if (column.name === 'environment') return server.tenant.environment
  if (column.allowed !== null) return column.allowed
  if (column.name === 'end_at') return new Date(Date.now() + 3_600_000)
  if (column.isKey) return column.type === 'text' ? `key ${salt}` : (fillers[column.type] ?? Buffer.from(salt))
  if (column.type === 'jsonb' && lists.has(column.name)) return `[${String(canaries['jsonb'])}]`
  return canaries[column.type] ?? fillers[column.type] ?? null
}

/** A row in which every text may hold what somebody wrote; answers the columns that hold the canary. */
async function fill(table: string, columns: readonly Column[]): Promise<string[]> {
  const used = columns.filter((column) => valueOf(column, table) !== null)
  const { rowCount } = await client.query(
    `insert into "${table}" (${used.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
     values (${used.map((_, at) => `$${at + 1}`).join(', ')}) on conflict do nothing`,
    used.map((column) => valueOf(column, table)),
  )
  if (rowCount === 0) return []
  const holds = (column: Column) => column.type in canaries && !column.isKey && column.allowed === null
  return used.filter((column) => holds(column) && !tenantColumns.has(column.name)).map(({ name }) => name)
}

/** Where the address stands, in whatever column of whatever table. */
async function mentions(columns: readonly Column[]): Promise<string[]> {
  const found: string[] = []
  for (const { table, name, type } of columns) {
    if (!(type in canaries)) continue
    const text = type === 'bytea' ? `encode("${name}", 'escape')` : `"${name}"::text`
    const { rowCount } = await client.query(
      `select 1 from "${table}" where lower(${text}) ~ '(?<![a-z.])canary@example\\.com' and account_id = $1`,
      [server.tenant.accountId],
    )
    if (rowCount) found.push(`${table}.${name}`)
  }
  return found
}

test('a canary in every text of every table of an account is gone after the erasure, and nobody else is', async () => {
  const { app, tenant } = server
  await app.db.execute(
    `insert into people (account_id, environment, id, email, created_at, updated_at) values ($1, $2, 'per_c', $3, now(), now())`,
    [tenant.accountId, tenant.environment, email],
  )
  await app.db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids, lead_count, created_at,
       updated_at) values ($1, $2, 'cmp_c', 'C', 'active', '{}', '{}', '{}', 1, now(), now())`,
    [tenant.accountId, tenant.environment],
  )
  await insertTestLead(app.db, tenant, { campaignId: 'cmp_c', id: 'led_c', email, status: 'active' })
  await app.db.execute(`update lead_profiles set email_given = $1 where id = 'led_c'`, [given])

  const columns = (await listColumns()).filter(({ table }) => !tablesNotSearched.includes(table))
  const byTable = new Map<string, Column[]>()
  for (const column of columns) byTable.set(column.table, [...(byTable.get(column.table) ?? []), column])
  expect(byTable.size).toBeGreaterThan(30)
  // Rows of many tables at once: what they refer to is not there.
  await client.query(`set session_replication_role = replica`)
  const refused: string[] = []
  let filled = 0
  for (const [table, of] of byTable)
    await fill(table, of).then(
      (names) => (filled += names.length),
      (error: Error) => refused.push(`${table}: ${error.message}`),
    )
  await client.query(`set session_replication_role = origin`)
  expect(refused).toEqual([])
  expect(filled).toBeGreaterThan(120)
  expect((await mentions(columns)).length).toBeGreaterThanOrEqual(filled)

  const erased = await server.call('DELETE', '/v2/leads/led_c', { key: server.keys.live })
  expect(erased.status, erased.text).toBe(200)
  const [job] = await app.db.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where kind = 'people.forget_mentions'`,
  )
  expect(JSON.stringify(job?.payload)).not.toMatch(/canary/i)
  const signal = new AbortController().signal
  // What the rows refer to is still not there.
  await client.query(`set session_replication_role = replica`)
  const db = { query: async (text: string, values: unknown[]) => (await client.query(text, values)).rows }
  await peopleJobs()[0]?.run({ app: { ...app, db }, tenant, now: app.clock.now(), signal } as never, job!.payload)
  expect(await mentions(columns)).toEqual([])
  const { rows } = await client.query<{ name: string }>(`select name from templates where account_id = $1`, [
    tenant.accountId,
  ])
  expect(rows.map(({ name }) => name)).toContain(`Somebody wrote to <erased@erased.invalid>, and to ${other}.`)
})
