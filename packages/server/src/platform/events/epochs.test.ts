import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import type { Tenant } from '../tenant.ts'
import { appendEvents } from './events.sql.ts'
import { type FeedPosition, listEvents } from './feed.sql.ts'
import { adoptRestoredEvents } from './restored.sql.ts'

/** The bits of a transaction number that a server counts itself. The epoch is above them. */
const numberBits = 48

let database: TestDatabase
let tenants = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const newTenant = (): Tenant => ({ accountId: `acc_epochs_${tenants++}`, environment: 'live' })
const event = (name: string) => ({ type: 'campaign.created' as const, occurredAt: new Date(0), data: { name } })
const append = (tenant: Tenant, name: string) =>
  database.db.transaction((tx) => appendEvents(tx, tenant, [event(name)]))

const epoch = async () =>
  (await database.db.query<{ epoch: number }>('select coalesce(max(epoch), 0) as epoch from event_epochs'))[0]!.epoch

/** Raises the epoch like a server that is about to receive accounts of another server. */
const raise = () =>
  database.db.transaction(async (tx) => {
    await tx.execute('lock table events in share row exclusive mode')
    await tx.execute('select raise_event_epoch(coalesce((select epoch from event_epochs), 0))')
  })

/** Changes the stored rows as if they came from a server whose transaction numbers were so far ahead. */
const restoreFromAhead = async (transactions: number) => {
  const { db } = database
  const ahead = (column: string) => `(${column}::text::bigint + ${transactions})::text::xid8`
  await db.execute(`update events set tx_id = ${ahead('tx_id')}`)
  await db.execute(`update webhook_deliveries set tx_id = ${ahead('tx_id')}`)
}

class Reader {
  readonly names: string[] = []
  #after: FeedPosition | undefined

  readonly #tenant: Tenant

  constructor(tenant: Tenant) {
    this.#tenant = tenant
  }

  async read(limit: number): Promise<number> {
    const filter = { order: 'asc', limit, ...(this.#after !== undefined && { after: this.#after }) } as const
    const page = await listEvents(database.db, this.#tenant, filter)
    this.names.push(...page.map(({ data }) => String(data['name'])))
    const last = page.at(-1)
    if (last !== undefined) this.#after = { txId: last.txId, position: last.position }
    return page.length
  }

  /** Reads until all events have arrived: the writer of another test may hold the log back for a moment. */
  async readAll(count: number): Promise<void> {
    await expect
      .poll(async () => (await this.read(100), this.names.length), { timeout: 60_000, interval: 20 })
      .toBeGreaterThanOrEqual(count)
  }
}

test('an epoch is above every transaction number, for events and subscriptions', async () => {
  const tenant = newTenant()
  await append(tenant, 'before')
  await raise()
  await append(tenant, 'after')
  const rows = await database.db.query<{ epoch: number }>(
    `select (tx_id::text::bigint >> ${numberBits})::int as epoch from events where account_id = $1 order by position`,
    [tenant.accountId],
  )
  expect(rows[1]!.epoch).toBe(await epoch())
  expect(rows[0]!.epoch).toBe((await epoch()) - 1)
  const [since] = await database.db.query<{ default: string }>(
    `select pg_get_expr(adbin, adrelid) as default from pg_attrdef where adrelid = 'webhooks'::regclass
     and pg_get_expr(adbin, adrelid) like '%event_number%'`,
  )
  expect(since).toBeDefined()
})

test('writers during a change of the epoch lose no event and keep the order', async () => {
  const tenant = newTenant()
  const [writers, rounds] = [6, 12]
  const write = async (writer: number) => {
    for (let round = 0; round < rounds; round++)
      await database.db.transaction(async (tx) => {
        // The transaction may have a number from before the epoch in which its event is written.
        if (round % 2 === 0) await tx.query('select pg_current_xact_id()')
        await tx.query('select pg_sleep($1)', [((writer * 5 + round * 3) % 5) / 500])
        await appendEvents(tx, tenant, [event(`${writer} ${round}`)])
        await tx.query('select pg_sleep($1)', [((writer * 3 + round * 5) % 7) / 500])
      })
  }
  const reader = new Reader(tenant)
  const before = await epoch()
  let over = false
  const race = Promise.all([
    ...Array.from({ length: writers }, (_, index) => write(index)),
    (async () => {
      for (let rises = 0; rises < 8; rises++) await raise()
    })(),
  ]).finally(() => (over = true))
  while (!over) await reader.read(5)
  await race
  await reader.readAll(writers * rounds)
  expect(await epoch()).toBe(before + 8)
  const written = Array.from({ length: writers * rounds }, (_, at) => `${Math.floor(at / rounds)} ${at % rounds}`)
  expect(reader.names.toSorted()).toEqual(written.toSorted())
  for (let writer = 0; writer < writers; writer++)
    expect(reader.names.filter((name) => name.startsWith(`${writer} `))).toEqual(
      Array.from({ length: rounds }, (_, round) => `${writer} ${round}`),
    )
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant('append' as const) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constant('raise' as const) },
  { weight: 1, arbitrary: fc.constant('adopt' as const) },
)

test('a reader gets every event once and in order, whenever the epoch changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const tenant = newTenant()
      const reader = new Reader(tenant)
      const written: string[] = []
      for (const one of steps)
        if (one === 'append') await append(tenant, String(written.push(String(written.length)) - 1))
        else if (one === 'raise') await raise()
        else if (one === 'adopt') expect(await adoptRestoredEvents(database.db)).toBe(0)
        else await reader.read(one)
      await reader.readAll(written.length)
      expect(reader.names).toEqual(written)
    }),
    { numRuns: 12 },
  )
})

test.each([1, 10_000_000, 1_000_000_000])(
  'a log from a server %i transactions ahead keeps its order, and new events come after it',
  async (transactions) => {
    const tenant = newTenant()
    for (const name of ['0', '1', '2']) await append(tenant, name)
    await restoreFromAhead(transactions)
    // Appended before the restore is noticed, so their numbers are below the restored ones.
    for (const name of ['3', '4']) await append(tenant, name)
    await adoptRestoredEvents(database.db)
    await append(tenant, '5')
    const reader = new Reader(tenant)
    await reader.readAll(6)
    expect(reader.names).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(await adoptRestoredEvents(database.db)).toBe(0)
  },
)

test('subscriptions and readers ahead raise the epoch too, even without events', async () => {
  const { db } = database
  const before = await epoch()
  await db.execute(`update event_looks set tx_id = event_number()`)
  await db.execute(
    `update event_looks set tx_id = (tx_id::text::bigint + 1000000)::text::xid8 where reader = 'statistics'`,
  )
  await adoptRestoredEvents(db)
  expect(await epoch()).toBe(before + 1)
  expect(await adoptRestoredEvents(db)).toBe(0)
})
