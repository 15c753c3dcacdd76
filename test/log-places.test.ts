import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { explained } from '@overture/testing/explained.ts'
import { findTotals, rollUpEvents } from '@overture/server/analytics/analytics.sql.ts'
import { rollUpAll } from '@overture/server/analytics/index.ts'
import type { Database } from '@overture/server/platform/db/database.ts'
import { appendEvents } from '@overture/server/platform/events/events.sql.ts'
import { listEventsBehindLookAcrossAccounts, listLooks } from '@overture/server/platform/events/places.sql.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { insertWebhook } from '@overture/server/webhooks/webhooks.sql.ts'
import { fanOutAll } from '@overture/server/webhooks/webhooks.worker.ts'

const accounts = 6
const idleAccounts = 300

let database: TestDatabase
let tenants: Tenant[]
/** Event ids by account, in the order in which their transactions began. */
const written = new Map<string, string[]>()

beforeAll(async () => {
  database = await createTestDatabase()
  tenants = await makeTenants()
})
afterAll(() => database.drop())

async function makeTenants(): Promise<Tenant[]> {
  const made: Tenant[] = []
  for (let index = 0; index < accounts; index++) {
    const tenant = await insertTestAccount(database.db)
    // The last account has no webhook.
    if (index < accounts - 1) await listen(tenant)
    made.push(tenant)
    written.set(tenant.accountId, [])
  }
  return made
}

const listen = ({ accountId, environment }: Tenant) =>
  insertWebhook(
    database.db,
    { accountId, environment },
    {
      id: `whk_${accountId.slice(4)}`,
      url: 'http://127.0.0.1:1/',
      events: ['*'],
      createdBy: null,
      campaignIds: [],
      enabled: true,
      secret: Buffer.alloc(24),
      now: new Date(0),
    },
  )
const failedEvent = {
  type: 'message.failed' as const,
  occurredAt: new Date(0),
  stepId: 'stp_1',
  data: { reason: 'no text' },
}

/** Writes events in a transaction that commits once `until` resolves. */
async function write(tenant: Tenant, count: number, until: () => Promise<void> = () => Promise.resolve()) {
  await database.db.transaction(async (tx) => {
    const ids = await appendEvents(
      tx,
      tenant,
      Array.from({ length: count }, () => failedEvent),
    )
    written.get(tenant.accountId)!.push(...ids)
    await until()
  })
}

async function expectAllReadOnce(): Promise<void> {
  for (const tenant of tenants) {
    const ids = written.get(tenant.accountId)!
    const rolled = await database.db.query<{ failed: number }>(
      `select coalesce(sum(failed), 0)::int as failed from stat_totals where account_id = $1`,
      [tenant.accountId],
    )
    expect(rolled[0]!.failed).toBe(ids.length)
    expect((await findTotals(database.db, tenant, null)).failed).toBe(ids.length)
    const delivered = await database.db.query<{ eventId: string }>(
      'select event_id from webhook_deliveries where account_id = $1 order by tx_id, position',
      [tenant.accountId],
    )
    const listened = tenant === tenants.at(-1) ? [] : ids
    expect(delivered.map(({ eventId }) => eventId)).toEqual(listened)
  }
}

/** Reads until all committed events were read. An open transaction of another test may delay this for a moment. */
async function readAll(): Promise<void> {
  const left = () =>
    database.db.query(
      `select 1 from events e where (e.tx_id, e.position) > (select l.tx_id, l.position from event_looks l
       where l.epoch = e.tx_id::text::bigint >> 48 order by l.tx_id, l.position limit 1) limit 1`,
    )
  const read = async () => {
    await Promise.all([rollUpAll(database), fanOutAll(database)])
    return (await left()).length
  }
  await expect.poll(read, { timeout: 60_000, interval: 20 }).toBe(0)
}

test("with many readers and writers, every event is read once, in the account's order", async () => {
  let writing = true
  const readers = Array.from({ length: 3 }, async () => {
    while (writing) await Promise.all([rollUpAll(database, 3), fanOutAll(database)])
  })
  const writers = tenants.map(async (tenant, index) => {
    for (let round = 0; round < 8; round++)
      await write(tenant, 1 + ((index + round) % 4), async () => {
        await database.db.query('select pg_sleep($1)', [((index * 7 + round * 3) % 10) / 500])
      })
  })
  await Promise.all(writers)
  writing = false
  await Promise.all(readers)
  await readAll()
  await expectAllReadOnce()
})

test('of several readers at one position, only one moves it', async () => {
  const tenant = tenants[0]!
  const place = { txId: '0', position: 0 }
  await database.db.execute('delete from event_places where account_id = $1', [tenant.accountId])
  await database.db.execute('delete from stat_totals where account_id = $1', [tenant.accountId])
  const limit = written.get(tenant.accountId)!.length
  for (let again = 0; again < 2; again++) {
    const read = await Promise.all([1, 2, 3, 4].map(() => rollUpEvents(database.db, tenant, { place, limit })))
    expect(read.filter((one) => one.place !== null)).toHaveLength(again === 0 ? 1 : 0)
  }
  await expectAllReadOnce()
})

test('accounts without new events cost one check of the log for all of them', async () => {
  const { db } = database
  for (let made = 0; made < idleAccounts; made++) {
    const tenant = await insertTestAccount(db)
    await db.transaction((tx) => appendEvents(tx, tenant, [failedEvent]))
  }
  await readAll()
  await db.execute('vacuum analyze events, event_places, event_looks')
  const { explaining, visited } = explained(db)
  await listLooks(explaining, 'statistics')
  const [look, ...others] = await listLooks(db, 'statistics')
  expect(others).toEqual([])
  expect(await listEventsBehindLookAcrossAccounts(explaining, look!, 1_000)).toEqual([])
  expect(visited).toHaveLength(2)
  // The statements visit the readers' rows and no events: far fewer rows than there are accounts.
  for (const rows of visited) expect(rows).toBeLessThan(20)
  let statements = 0
  const counting: Database = {
    ...db,
    relaxed: () => counting,
    query: <Row>(text: string, values?: readonly unknown[], name?: string) => {
      statements++
      return db.query<Row>(text, values, name)
    },
  }
  await rollUpAll({ db: counting })
  // One statement reads the position, the other checks for events behind it.
  expect(statements).toBe(2)
})

/** Simulates a second server with its own epoch. `other` is the horizon that it reports; null removes it. */
const besideAnother = (other: string | null) =>
  database.db.execute(`create or replace function event_horizons() returns setof xid8 language sql volatile as $f$
    select events_horizon() ${other === null ? '' : `union all select '${other}'::xid8`} $f$`)

test('events numbered by another server are read when complete, and to the end after its removal', async () => {
  const { db } = database
  const there = [await insertTestAccount(db), await insertTestAccount(db)] as const
  for (const tenant of there) {
    written.set(tenant.accountId, [])
    await listen(tenant)
    await db.execute(`update webhooks set since_tx = '0' where account_id = $1`, [tenant.accountId])
  }
  const below = (number: number) => String((1n << 48n) + BigInt(number))
  const numbered = async (tenant: Tenant, number: number) => {
    await write(tenant, 1)
    await db.execute(
      `update events set tx_id = $2::xid8 where account_id = $1 and tx_id >= (3::bigint << 48)::text::xid8`,
      [tenant.accountId, below(number)],
    )
  }
  const read = async () => {
    await Promise.all([rollUpAll(database), fanOutAll(database)])
    return db.query<{ failed: number; delivered: number }>(
      `select (select coalesce(sum(failed), 0)::int from stat_totals where account_id = t) as failed,
         (select count(*)::int from webhook_deliveries where account_id = t) as delivered from unnest($1::text[]) t`,
      [there.map(({ accountId }) => accountId)],
    )
  }
  const counts = (...each: number[]) => each.map((count) => ({ failed: count, delivered: count }))
  await db.execute('select raise_event_epoch(2)')
  await write(tenants[1]!, 3)
  await readAll()
  // The numbers are far below those that this server has read already. Number 910 may follow an event that is still being written.
  await besideAnother(below(905))
  for (const number of [900, 910]) await numbered(there[0], number)
  await read()
  const looked = await db.query(
    `select distinct (tx_id::text::bigint - (1::bigint << 48))::int as number from event_looks where epoch = 1`,
  )
  expect(looked).toEqual([{ number: 900 }])
  await numbered(there[1], 905)
  await besideAnother(below(950))
  await expect.poll(read).toEqual(counts(2, 1))
  await numbered(there[1], 990)
  expect(await read()).toEqual(counts(2, 1))
  // The second server was removed: its events are complete.
  await besideAnother(null)
  await expect.poll(read).toEqual(counts(2, 2))
  await read()
  expect(await db.query('select 1 from event_looks where epoch < 3')).toEqual([])
})
