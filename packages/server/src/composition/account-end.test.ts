import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertFilled, listColumns, valueThatFills, type TableColumn } from '@overture/testing/filled-tables.sql.ts'
import type { App } from '../platform/app.ts'
import { insertAuditEntry } from '../platform/audit/audit.sql.ts'
import { operator } from '../platform/audit/entry.ts'
import { endAccount } from './account-end.shell.ts'
import { deleteAccountRow, hasEndedBefore } from './account-end.sql.ts'
import { openAccount } from './operator.commands.ts'

// A test fills and deletes whole accounts.
vi.setConfig({ testTimeout: 300_000 })

let database: TestDatabase
let app: App
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Makes an account with a row in every table that has rows of accounts. */
async function filledAccount(name: string): Promise<{ accountId: string; tables: string[] }> {
  const now = app.clock.now()
  const { accountId } = await app.db.transaction((tx) => openAccount(tx, { name, plan: 'trial', now }))
  const byTable = new Map<string, TableColumn[]>()
  for (const column of await listColumns(client, ['account_id']))
    byTable.set(column.table, [...(byTable.get(column.table) ?? []), column])
  // Turns foreign keys off, because the rows refer to rows that do not exist.
  await client.query('set session_replication_role = replica')
  for (const [table, columns] of byTable) {
    const salt = `${table} ${accountId}`
    const valueOf = (column: TableColumn) => ofNoOtherFate(column) ?? valueThatFills(column, { accountId, salt })
    await insertFilled(client, { table, columns, valueOf })
  }
  await client.query('set session_replication_role = origin')
  return { accountId, tables: [...byTable.keys()] }
}

/** Values that let the account be deleted: leases have expired, and no subscription is charged for. */
function ofNoOtherFate({ table, name }: TableColumn): unknown {
  if (table === 'claims' && name === 'gated_at') return new Date(0)
  if (table === 'claims' && name === 'lease_until') return new Date(0)
  return null
}

async function rowsOf(tables: readonly string[], accountId: string): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const table of tables) {
    const found = await client.query<{ row: string }>(
      `select t::text as row from "${table}" t where t.account_id = $1 order by 1`,
      [accountId],
    )
    if (found.rows.length > 0) rows[table] = found.rows.map(({ row }) => row)
  }
  return rows
}

/** All tables, partitioned ones too, in which some row names the account. */
async function mentionsOf(accountId: string): Promise<string[]> {
  const all = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  const found: string[] = []
  for (const { name } of all.rows) {
    const { rowCount } = await client.query(`select 1 from "${name}" t where position($1 in t::text) > 0`, [accountId])
    if (rowCount) found.push(name)
  }
  return found
}

const endCharging = (accountId: string) =>
  client.query('update billing_customers set subscription_id = null where account_id = $1', [accountId])

test('deleting an account deletes all its rows and no others', async () => {
  const { accountId, tables } = await filledAccount('Gone')
  const other = await filledAccount('Stays')
  expect(tables.length).toBeGreaterThan(55)
  expect(Object.keys(await rowsOf(tables, accountId)).sort()).toEqual(tables.toSorted())
  const before = await rowsOf(tables, other.accountId)
  await endCharging(accountId)
  await client.query(
    `insert into events (account_id, environment, id, type, occurred_at)
     select $1, 'live', 'evt_' || n, 'message.sent', now() from generate_series(1, 25) n`,
    [accountId],
  )

  const deletions: string[] = []
  const { deleted } = await endAccount(app, accountId, {
    rowsAtOnce: 10,
    progress: (table, count) => deletions.push(`${table} ${count}`),
    recorded: (tx) =>
      insertAuditEntry(
        tx,
        {
          accountId: '',
          environment: null,
          actor: operator,
          action: 'operator.accounts.delete',
          target: { type: 'accounts', id: accountId },
          outcome: 'success',
          ip: null,
          userAgent: null,
          requestId: null,
          changes: [],
        },
        app.clock.now(),
      ),
  })
  expect(await rowsOf(tables, accountId)).toEqual({})
  // The operator's entry stays in the log that belongs to no account.
  expect(await mentionsOf(accountId)).toEqual(['audit_entries'])
  await endCharging(other.accountId)
  before['billing_customers'] = (await rowsOf(['billing_customers'], other.accountId))['billing_customers']!
  expect(await rowsOf(tables, other.accountId)).toEqual(before)
  // Each month of the log is a table, and no statement deletes more rows than its limit.
  const months = deletions.filter((line) => line.startsWith('events_'))
  expect(months.map((line) => Number(line.split(' ')[1]))).toEqual([10, 20, 26])
  expect(deleted).toMatchObject({ accounts: 1, credit_ledger: expect.any(Number), campaigns: 1 })
  await expect(endAccount(app, accountId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an account with a message in flight or a paid subscription is not deleted', async () => {
  const { accountId, tables } = await filledAccount('Busy')
  await endCharging(accountId)
  await client.query(`update claims set lease_until = now() + interval '1 minute' where account_id = $1`, [accountId])
  const before = await rowsOf(tables, accountId)
  await expect(endAccount(app, accountId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await rowsOf(tables, accountId)).toEqual(before)
  await client.query(`update claims set lease_until = null where account_id = $1`, [accountId])
  await client.query(`update billing_customers set subscription_id = 'sub_1' where account_id = $1`, [accountId])
  await expect(endAccount(app, accountId)).rejects.toMatchObject({ message: expect.stringContaining('sub_1') })
  await endCharging(accountId)
  await endAccount(app, accountId)
  expect(await rowsOf(tables, accountId)).toEqual({})
})

test('an interrupted deletion is completed by the next one', async () => {
  const { accountId, tables } = await filledAccount('Half')
  await endCharging(accountId)
  const interrupted = new Error('killed')
  const failing = endAccount(app, accountId, {
    progress: (table) => {
      if (table.startsWith('audit_')) throw interrupted
    },
  })
  await expect(failing).rejects.toBe(interrupted)
  expect(Object.keys(await rowsOf(tables, accountId))).not.toContain('accounts')
  await endAccount(app, accountId)
  expect(await rowsOf(tables, accountId)).toEqual({})
})

test('append-only rows are deleted only with their account', async () => {
  const { accountId } = await filledAccount('Kept')
  for (const table of ['audit_entries', 'audit_seals', 'credit_ledger']) {
    await expect(client.query(`delete from ${table} where account_id = $1`, [accountId])).rejects.toThrow()
    await expect(client.query(`truncate ${table}`)).rejects.toThrow()
  }
  await expect(client.query(`update credit_ledger set amount = 0 where account_id = $1`, [accountId])).rejects.toThrow()
})

test('the deletion waits for earlier transactions, also in a later epoch', async () => {
  await client.query('select raise_event_epoch(coalesce((select epoch from event_epochs), 0))')
  const before = new pg.Client({ connectionString: database.url })
  await before.connect()
  try {
    await before.query('begin')
    await before.query('select pg_current_xact_id()')
    const ended = await app.db.transaction((tx) => deleteAccountRow(tx, 'acc_unknown'))
    expect(await hasEndedBefore(app.db, ended)).toBe(false)
    await before.query('commit')
    await expect.poll(() => hasEndedBefore(app.db, ended), { timeout: 60_000 }).toBe(true)
  } finally {
    await before.end()
  }
})
