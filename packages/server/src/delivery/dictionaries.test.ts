import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { deliverDue, startDelivery, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { countDictionaries, listStoredContents } from '@overture/testing/delivery/stored-contents.sql.ts'
import { campaignJobs } from '../campaigns/index.ts'
import { packBytes } from '../ground/text/packed.ts'
import { dayMs, minuteMs } from '../ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { storeWritten, type WrittenRow } from './compose/written.sql.ts'
import { runPlanning } from './index.ts'
import {
  deleteOldContents,
  deleteOldDictionaries,
  dictionaryDays,
  listOldContentsAcrossAccounts,
  listOldDictionariesAcrossAccounts,
} from './old-contents.sql.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const greylisted = { stage: 'end', action: { code: 451, text: '4.7.1 Greylisted' }, times: 1 } as const

let database: TestDatabase
let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
})
afterAll(() => database.drop())

beforeEach(async () => {
  delivery = await startDelivery(app)
  tenant = await insertTestAccount(app.db)
  senderId = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
})
afterEach(() => delivery.stop())

async function launch(prefix: string, count: number) {
  const steps = [{ subject: 'Hello', body: 'Hi {{ firstName }}, a text that many people get.', waitDays: 0 }]
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start, prefix })
  return campaign
}

const work = (now = start): Promise<number> => deliverDue(delivery.tools, tenant, now)
const change = (statement: string, ...values: unknown[]) => app.db.execute(statement, [tenant.accountId, ...values])
const count = () => countDictionaries(app.db, tenant)
const stored = () => listStoredContents(app.db, tenant)

test('one is for many messages of a text, another for the next text; what was packed with the first is still read', async () => {
  const { id: campaignId } = await launch('p', 5)
  await insertTestLeads(app.db, tenant, { campaignId, count: 3, dueAt: later(minuteMs), prefix: 'q' })
  await work()
  expect(await count()).toBe(1)
  await change(`update variants set body = 'Another text, {{ firstName }}.' where account_id = $1`)
  await work(later(minuteMs))
  const all = await stored()
  const ids = all.map(({ dictionaryId }) => dictionaryId)
  expect(ids).toEqual([...Array(5).fill(ids[0]), ...Array(3).fill(ids[7])])
  expect(await count()).toBe(2)
  expect(all[0]?.bytes?.toString()).toContain('Hi Person1, a text that many people get.')
  expect(all[7]?.bytes?.toString()).toContain('Another text, Person3.')
})

test('one goes with its campaign, and none of another campaign with the same text', async () => {
  const [gone, stays] = [await launch('p', 2), await launch('q', 2)]
  await work()
  expect(await count()).toBe(2)
  await change('update campaigns set deleted_at = now() where account_id = $1 and id = $2', gone.id)
  const purge = campaignJobs().find(({ kind }) => kind === 'campaigns.purge')
  const context = { app, tenant, now: start, signal: new AbortController().signal, attempt: 1 }
  await purge?.run(context, { campaignId: gone.id })
  expect(await count()).toBe(1)
  expect((await stored()).map(({ campaignId, bytes }) => [campaignId, bytes !== null])).toEqual([
    [stays.id, true],
    [stays.id, true],
  ])
})

describe('stored with a message,', () => {
  const dictionary = { id: Buffer.from('12345678'), campaignId: 'cmp_1', bytes: Buffer.from('Words of all.') }

  function written(id: string, token: string): WrittenRow {
    const raw = Buffer.from(`Message-ID: <${id}@sender.test>\r\n\r\nWords of all, and my own.`)
    const nobody = { email: 'nobody@sender.test', name: null }
    return {
      id,
      token,
      raw,
      packed: { bytes: packBytes(raw, dictionary.bytes), dictionary },
      sha256: createHash('sha256').update(raw).digest(),
      rfcMessageId: `<${id}@sender.test>`,
      subject: 'Hello',
      from: nobody,
      to: [nobody],
      inReplyTo: null,
      refs: [],
      threadId: `thr_${id.slice(4)}`,
      variantId: null,
    }
  }

  test('it is there with each, also where another that stores it at the same moment gives up', async () => {
    await launch('p', 2)
    const { token } = await runPlanning(delivery.tools, tenant, start)
    const claims = await app.db.query<{ id: string }>('select message_id as id from claims where account_id = $1', [
      tenant.accountId,
    ])
    const [givesUp, goesOn] = claims.map(({ id }) => written(id, token))
    let other: Promise<Set<string>> = Promise.resolve(new Set())
    const givenUp = app.db.transaction(async (tx) => {
      expect(await storeWritten(tx, tenant, [givesUp!])).toEqual(new Set([givesUp?.id]))
      other = storeWritten(app.db, tenant, [goesOn!])
      await vi.waitFor(async () => {
        const [row] = await app.db.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(row?.waiting).toBe(1)
      })
      throw new Error('Given up.')
    })
    await expect(givenUp).rejects.toThrow('Given up.')
    expect(await other).toEqual(new Set([goesOn?.id]))
    expect((await stored()).map(({ bytes }) => bytes)).toEqual([goesOn?.raw])
    expect(await count()).toBe(1)
  })

  test('it is not for an account that is gone', async () => {
    await change('delete from accounts where account_id = $1')
    await storeWritten(app.db, tenant, [written('msg_1', randomUUID())])
    expect(await count()).toBe(0)
  })
})

describe('after the time that messages are kept,', () => {
  const keptDays = 30
  const madeAt = new Date('2020-01-01T00:00:00.000Z')
  const yearsLater = new Date('2026-01-01T00:00:00.000Z')

  /** Deletes as retention does: first contents, then dictionaries. */
  async function forget(now: Date): Promise<void> {
    const before = new Date(now.getTime() - keptDays * dayMs)
    const contents = await listOldContentsAcrossAccounts(app.db, before, 100)
    await deleteOldContents(app.db, tenant.accountId, contents, before)
    const monthBefore = new Date(before.getTime() - dictionaryDays * dayMs)
    const dictionaries = await listOldDictionariesAcrossAccounts(app.db, monthBefore, 100)
    await deleteOldDictionaries(app.db, tenant.accountId, dictionaries, monthBefore)
  }

  async function age(recordedAt: string): Promise<void> {
    await change('update content_dictionaries set created_at = $2 where account_id = $1', madeAt)
    await change('update message_contents set recorded_at = $2 where account_id = $1', recordedAt)
  }

  test('it stays while the way of one message is not over, and goes when that has left', async () => {
    await launch('p', 2)
    delivery.smtp.faults = [greylisted]
    await work()
    await age('2020-01-31T23:59:59.999Z')
    await forget(yearsLater)
    expect([(await stored()).length, await count()]).toEqual([1, 1])
    expect(await work(later(5 * minuteMs))).toBe(1)
    expect(delivery.smtp.accepted).toHaveLength(2)
    await forget(yearsLater)
    expect([(await stored()).length, await count()]).toEqual([0, 0])
  })

  test.each(['2020-01-01T00:00:00.000Z', '2020-01-31T23:59:59.999Z', '2020-02-01T12:00:00.000Z'])(
    'no day comes on which a message of %s lacks the dictionary of the first of January',
    async (recordedAt) => {
      await launch('p', 1)
      delivery.smtp.faults = [greylisted]
      await work()
      await age(recordedAt)
      for (const days of [1, 29, 30, 31, 32, 60, 61, 62, 62.0001, 63, 64, 93, 94, 95, 400, 2_000]) {
        await forget(new Date(madeAt.getTime() + days * dayMs))
        expect((await stored()).map(({ bytes }) => bytes !== null)).toEqual([true])
      }
    },
  )
})
