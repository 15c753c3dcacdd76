import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { type NodeProcess, startNodeProcess } from '@overture/testing/kills/node-process.ts'
import {
  type Caller,
  createCaller,
  expectOk,
  liftLimits,
  printedLiveKey,
  printedTestKey,
} from '@overture/testing/kills/product-caller.ts'
import { type ModelDouble, startModelDouble } from '@overture/testing/model-double.server.ts'
import { modelId } from '@overture/testing/server/ai-server.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

const patience = { timeout: 120_000, interval: 20 }
const reading = JSON.stringify({ interest: 'interested', intent: 'question', confidence: 0.9 })
const drafted = JSON.stringify({ body: 'Hello, a seat costs 20 euros.' })
const isDraft = (body: string) => body.includes('You draft a reply')
const usual = (body: string) => ({ text: isDraft(body) ? drafted : reading })

let folder: string
let database: TestDatabase
let db: PoolDatabase
let model: ModelDouble
let server: NodeProcess
let call: Caller
let number = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-draft-killed-'))
  database = await createTestDatabase()
  model = await startModelDouble(usual)
  server = await startNodeProcess({
    DATABASE_URL: database.url,
    OVERTURE_DATA_DIR: folder,
    OVERTURE_AI_BASE_URL: model.baseUrl,
    OVERTURE_AI_MODEL: 'tiny',
    OVERTURE_AI_IN_TEST: '1',
    OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
    PORT: '0',
  })
  call = createCaller(() => server.url, printedTestKey(server))
  await liftLimits(database.url)
  db = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax: 2 })
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  const live = createCaller(() => server.url, printedLiveKey(server))
  await expectOk(live('PUT', '/v2/account', { replyKnowledge: 'A seat costs 20 euros a month.' }))
})
afterAll(async () => {
  await db.close()
  await server.stop()
  await model.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const ask = (method: string, path: string, body?: unknown): Promise<AnswerBody> => expectOk(call(method, path, body))
const balance = async (): Promise<number> => (await ask('GET', '/v2/account')).credits.balance
const draftCalls = () => model.calls.filter(({ body }) => isDraft(body)).length

const clock = async (): Promise<string> => (await ask('GET', '/v2/sandbox/clock')).now

/**
 * Begins to move the clock and returns the time of its end. The server that is started after a kill continues the move, but only if it
 * was stored. The draft does not wait for it, so a server that is killed after the draft may not have stored the move yet.
 */
async function moveClock(): Promise<string> {
  const to = new Date(Date.parse(await clock()) + 30 * 60_000).toISOString()
  let answered = false
  call('POST', '/v2/sandbox/clock/advance', { to }).then(
    () => (answered = true),
    () => null,
  )
  const isStored = async () => answered || (await db.query('select from sandbox_runs')).length > 0
  await expect.poll(isStored, { ...patience, interval: 1 }).toBe(true)
  return to
}

/** A lead that got a message and asks a question, which a model reads and answers when the clock moves. */
async function questioned(): Promise<{ campaignId: string; draft: () => Promise<AnswerBody> }> {
  number += 1
  model.reset()
  const sender = { fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0, timezone: 'UTC' }
  const { id: sendingAccountId } = await ask('POST', '/v2/sending-accounts', {
    ...sender,
    email: `ada${number}@sender.example.com`,
  })
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const { id: campaignId } = await ask('POST', '/v2/campaigns/launch', {
    name: `campaign ${number}`,
    sendingAccountIds: [sendingAccountId],
    settings: { aiTriage: { modelId }, replyDrafts: 'on' },
    schedule: { timezone: 'UTC', windows: [{ days, from: '00:00', to: '24:00' }] },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi {{ firstName }}, shall we talk?' }] }],
    leads: [{ email: `lead${number}@prospects.test`, firstName: 'Bo' }],
  })
  await ask('POST', '/v2/sandbox/clock/advance', { by: '5m' })
  const [lead] = (await ask('GET', `/v2/campaigns/${campaignId}/leads`)).results
  await ask('POST', '/v2/sandbox/inbound', { leadId: lead.id, kind: 'reply', text: 'What does a seat cost?' })
  const [conversation] = (await ask('GET', `/v2/conversations?campaignId=${campaignId}`)).results
  return {
    campaignId,
    draft: async () => (await ask('GET', `/v2/conversations/${conversation.id}`)).draft,
  }
}

/** Kills the server, starts it again, and ends what the killed process had leased and reserved. Both end with time otherwise. */
async function die(): Promise<void> {
  await server.killAndRestart()
  await db.execute('update jobs set lease_until = now() where lease_until is not null')
  await db.execute(`update credit_reservations set expires_at = now()`)
}

/** Expects one draft, one charge for it and one for the reading, and no credit that is still reserved. */
async function expectOneDraft({ campaignId, before, to }: { campaignId: string; before: number; to: string }) {
  await expect.poll(clock, patience).toBe(to)
  await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  await expect.poll(async () => (await db.query('select from credit_reservations')).length, patience).toBe(0)
  expect(await balance()).toBe(before - 2)
  const { results } = await ask('GET', `/v2/ai/generations?campaignId=${campaignId}&kind=reply`)
  expect(results).toMatchObject([{ creditsCharged: 1 }])
  const drafts = await db.query<{ status: string }>('select status from reply_drafts where campaign_id = $1', [
    campaignId,
  ])
  expect(drafts).toEqual([{ status: 'ready' }])
  const events = (await ask('GET', '/v2/events?type=reply.drafted')).results
  expect(events.filter(({ data }: { data: { campaignId: string } }) => data.campaignId === campaignId)).toHaveLength(1)
}

const isReady = (draft: () => Promise<AnswerBody>) => async () => (await draft())?.status === 'ready'

test('a server that is killed while the model writes drafts the reply once, and charges once', async () => {
  const { campaignId, draft } = await questioned()
  const before = await balance()
  model.usual = (body) => (isDraft(body) ? { stall: 'silent' } : { text: reading })
  const to = await moveClock()
  await expect.poll(draftCalls, patience).toBe(1)
  model.usual = usual
  await die()
  await expect.poll(isReady(draft), patience).toBe(true)
  expect(draftCalls()).toBe(2)
  await expectOneDraft({ campaignId, before, to })
})

test('a server that is killed before the draft is committed drafts the reply once, and charges once', async () => {
  const { campaignId, draft } = await questioned()
  const before = await balance()
  let to = ''
  await db.transaction(async (tx) => {
    to = await moveClock()
    // The job waits for this lock after the model has answered.
    await expect
      .poll(() => tx.query('select from reply_drafts where campaign_id = $1 for update', [campaignId]), patience)
      .toHaveLength(1)
    await expect.poll(() => draftCalls(), patience).toBe(1)
    await expect
      .poll(
        () =>
          tx.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
          ),
        patience,
      )
      .not.toHaveLength(0)
    await die()
  })
  await expect.poll(isReady(draft), patience).toBe(true)
  await expectOneDraft({ campaignId, before, to })
})

test('a server that is killed after the draft is stored does not ask the model again', async () => {
  const { campaignId, draft } = await questioned()
  const before = await balance()
  const to = await moveClock()
  await expect
    .poll(
      async () =>
        (await db.query(`select from reply_drafts where campaign_id = $1 and status = 'ready'`, [campaignId])).length,
      { ...patience, interval: 1 },
    )
    .toBe(1)
  await die()
  await expect.poll(isReady(draft), patience).toBe(true)
  await expectOneDraft({ campaignId, before, to })
  expect(draftCalls()).toBe(1)
})
