import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { App } from '../../platform/app.ts'
import { createDatabase, type PoolDatabase } from '../../platform/db/pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { deliverClaimed, noFaults, runPlanning, type DeliveryTools, type Transport } from '../index.ts'
import type { SmtpResult } from '../../platform/mail/smtp-result.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const engineConnections = 4
/** The number of messages that a mail server accepted without replying. */
const silent = 7
/** The number of connections to the mail server that replies. */
const answering = 5
/** The same limit as in deliver.shell.ts. */
const unrecordedMax = 20
/** The number of messages in flight at once, with or without a connection. */
const concurrency = 60
const accepted: SmtpResult = { kind: 'accepted', answer: '250 2.0.0 ok', refusedRecipients: [] }

let database: TestDatabase
let app: App
let engineDb: PoolDatabase
let records: PoolDatabase
let other: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database)
})
beforeEach(async () => {
  const { log, config } = app
  const options = { url: database.url, log, plans: 'generic' as const, distributed: config.distributed }
  engineDb = createDatabase({ ...options, connectionsMax: engineConnections })
  records = createDatabase({ ...options, connectionsMax: 1 })
  other = new pg.Client({ connectionString: database.url })
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await Promise.all([engineDb.close(), records.close()])
})
afterAll(() => database.drop())

function toolsWith(transport: Transport): DeliveryTools {
  const engine = { ...app, db: engineDb }
  return {
    app: engine,
    records,
    renderer: testRenderer,
    transportFor: () => transport,
    faults: noFaults,
    sentFolder: null,
  }
}

async function queueLeads(count: number): Promise<Tenant> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  return tenant
}

async function deliver(tools: DeliveryTools, tenant: Tenant): Promise<void> {
  const { token } = await runPlanning(tools, tenant, start)
  await deliverClaimed(tools, tenant, { now: start, token, concurrency })
}

async function countStatus(tenant: Tenant, status: string): Promise<number> {
  const { rows } = await other.query<{ count: number }>(
    'select count(*)::int as count from messages where account_id = $1 and status = $2',
    [tenant.accountId, status],
  )
  return rows[0]?.count ?? 0
}

test('a reply is recorded even if all other connections of the engine are taken', async () => {
  const tenant = await queueLeads(1)
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const holds: Promise<void>[] = []
  const delivering = deliver(
    toolsWith({
      async send(request) {
        expect(await request.gate()).toBe(true)
        for (let held = 0; held < engineConnections; held++) holds.push(engineDb.transaction(() => released))
        await expect.poll(() => engineDb.usage(), { interval: 5 }).toMatchObject({ total: engineConnections, idle: 0 })
        return accepted
      },
    }),
    tenant,
  )
  try {
    await expect.poll(() => countStatus(tenant, 'sent'), { interval: 10, timeout: 10_000 }).toBe(1)
  } finally {
    release()
    await Promise.all([...holds, delivering])
  }
})

test('a kill while nothing can be recorded leaves few uncertain messages beyond those in flight', async () => {
  const tenant = await queueLeads(100)
  const places = new Places(silent + answering)
  let [gated, answered] = [0, 0]
  let speak = (): void => {}
  const spoken = new Promise<void>((resolve) => (speak = resolve))
  let locking: Promise<unknown> | null = null
  const transport: Transport = {
    async send(request) {
      await places.take()
      try {
        locking ??= other.query('begin').then(() => other.query('lock table message_heads in exclusive mode'))
        await locking
        expect(await request.gate()).toBe(true)
        if (gated++ < silent) await spoken
        answered++
        return accepted
      } finally {
        places.leave()
      }
    },
  }
  const delivering = deliver(toolsWith(transport), tenant)
  try {
    await expect.poll(() => answered, { interval: 5, timeout: 20_000 }).toBeGreaterThanOrEqual(unrecordedMax)
    // Enough database round trips for all of them to pass.
    for (let turn = 0; turn < 200; turn++) await engineDb.query('select 1')
    const { rows } = await other.query<{ doubted: number }>(
      'select count(*)::int as doubted from claims where account_id = $1 and gated_at is not null',
      [tenant.accountId],
    )
    expect(rows[0]?.doubted).toBe(gated)
    expect(gated - answered).toBe(silent)
    expect(answered).toBeLessThan(unrecordedMax + answering)
  } finally {
    await other.query('rollback')
    speak()
    await delivering
  }
  expect(await countStatus(tenant, 'sent')).toBe(100)
})

/** Works like a pool of connections: it admits a limited number at once, and the others wait. */
class Places {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async take(): Promise<void> {
    if (this.#free-- <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  leave(): void {
    this.#free++
    this.#waiting.shift()?.()
  }
}
