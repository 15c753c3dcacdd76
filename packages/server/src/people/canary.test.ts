import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTestLead } from '@overture/testing/delivery/lead-fixtures.sql.ts'
import { insertFilled, listColumns, valueThatFills, type TableColumn } from '@overture/testing/filled-tables.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { peopleJobs, peopleRoutes } from './index.ts'
import { tablesNotSearched } from './people.jobs.ts'

const email = 'canary@example.com'
const given = 'Canary@Example.com'
/** The address of another person. The erased address is a part of it, so a plain substring match would find it. */
const other = 'other.canary@example.com'

let server: TestServer
let client: pg.Client
beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      peopleRoutes({
        updateLead: () => Promise.resolve(undefined),
        stopLead: () => Promise.resolve(true),
        openReveal: () => null,
      }),
  })
  client = new pg.Client({ connectionString: server.database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

const canaries: Record<string, unknown> = {
  text: `Somebody wrote to <${given}>, and to ${other}.`,
  jsonb: JSON.stringify({ deep: [{ email, said: `see ${given}` }] }),
  'text[]': [email, `to: ${given}`],
  bytea: Buffer.concat([Buffer.from(`Cc: ${email}\r\n\r\n`), Buffer.from([0]), Buffer.from(`mailto:${given}`)]),
}
/** JSON columns that are read as lists, so their value is put into an array. */
const lists = new Set(['attendees', 'to_addresses', 'cc_addresses', 'bcc_addresses', 'attachments'])
const tenantColumns = new Set(['account_id', 'environment'])

function valueOf(column: TableColumn, salt: string): unknown {
  const { accountId, environment } = server.tenant
  if (column.name === 'environment') return environment
  const isText = !column.isKey && column.allowed === null && !tenantColumns.has(column.name)
  if (isText && column.type === 'jsonb' && lists.has(column.name)) return `[${String(canaries['jsonb'])}]`
  return (isText ? canaries[column.type] : undefined) ?? valueThatFills(column, { accountId, salt })
}

/** Inserts a row with the canary in every column that may contain user text. Returns the columns that contain the canary. */
async function fill(table: string, columns: readonly TableColumn[]): Promise<string[]> {
  const used = await insertFilled(client, { table, columns, valueOf: (column) => valueOf(column, table) })
  const holds = (column: TableColumn) => column.type in canaries && !column.isKey && column.allowed === null
  return used.filter((column) => holds(column) && !tenantColumns.has(column.name)).map(({ name }) => name)
}

/** Every table and column that contains the address. */
async function mentions(columns: readonly TableColumn[]): Promise<string[]> {
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

test("an erasure removes a person's text from every table and keeps all other people", async () => {
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

  const columns = (await listColumns(client, ['account_id', 'environment'])).filter(
    ({ table }) => !tablesNotSearched.includes(table),
  )
  const byTable = new Map<string, TableColumn[]>()
  for (const column of columns) byTable.set(column.table, [...(byTable.get(column.table) ?? []), column])
  expect(byTable.size).toBeGreaterThan(30)
  // Foreign keys are off, because the rows of many tables are inserted without the rows they refer to.
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
  // Switches foreign keys off once more, because the rows still refer to missing rows.
  await client.query(`set session_replication_role = replica`)
  const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows
  const execute = async (text: string, values: unknown[]) => (await client.query(text, values)).rowCount ?? 0
  const db = { query, execute, transaction: (run: (tx: object) => Promise<unknown>) => run({ query, execute }) }
  await peopleJobs()[0]?.run({ app: { ...app, db }, tenant, now: app.clock.now(), signal } as never, {
    ...job!.payload,
    // The rows of this client have the names of columns, so the proof is left out.
    erasureId: 'ers_none',
  })
  expect(await mentions(columns)).toEqual([])
  const { rows } = await client.query<{ name: string }>(`select name from templates where account_id = $1`, [
    tenant.accountId,
  ])
  expect(rows.map(({ name }) => name)).toContain(`Somebody wrote to <erased@erased.invalid>, and to ${other}.`)
})
