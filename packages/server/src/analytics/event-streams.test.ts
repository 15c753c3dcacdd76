import type { TestServer } from '@overture/testing/server.ts'
import { startTestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { appendEvents } from '../platform/events/events.sql.ts'
import { keepAliveMs, unreadBytesMax, type EventStream } from './event-stream.shell.ts'
import { createEventStreams, lifeMsMax, streamsPerAccountMax, type EventStreams } from './event-streams.shell.ts'

let server: TestServer
let streams: EventStreams
let passedMs = 0
const tools = {
  usableCallers: (_app: unknown, _accountId: string, ids: readonly string[]) => Promise.resolve(new Set(ids)),
  clockText: () => Promise.resolve('{}'),
}

beforeAll(async () => {
  server = await startTestServer({ routes: () => [] })
})
beforeEach(() => {
  streams = createEventStreams(server.app, tools, () => passedMs)
})
afterEach(() => streams.stop())
afterAll(() => server.stop())

const filter = { types: null, campaignId: null, leadId: null }
const open = (callerId = 'key_1') => streams.open(server.tenant, { callerId, callerKind: 'key', filter, after: null })

/** The text that a client has received so far. */
function reading({ readable }: EventStream) {
  const heard = { text: '', ended: false }
  readable.on('data', (chunk: Buffer) => (heard.text += chunk.toString()))
  readable.on('close', () => (heard.ended = true))
  return heard
}

function write(count: number, words = ''): Promise<unknown> {
  const event = { type: 'campaign.started' as const, occurredAt: new Date(0), campaignId: 'cmp_1', data: { words } }
  return server.app.db.transaction((tx) => appendEvents(tx, server.tenant, Array(count).fill(event)))
}

const has = (heard: { text: string }, part: string) =>
  until(
    async () => heard.text,
    (text) => text.includes(part),
  )

test('a stream without events sends a keep-alive 15 seconds after its last data', async () => {
  expect(keepAliveMs).toBe(15_000)
  const heard = reading(await open())
  await write(1)
  await has(heard, 'event: campaign.started')
  passedMs += keepAliveMs - 1
  await write(1)
  await until(
    async () => heard.text.split('event: campaign.started').length,
    (parts) => parts === 3,
  )
  expect(heard.text).not.toContain(': ping')
  passedMs += keepAliveMs
  await has(heard, ': ping\n\n')
  passedMs += keepAliveMs
  await until(
    async () => heard.text.split(': ping\n\n').length - 1,
    (pings) => pings === 2,
  )
})

test('a stream ends after an hour', async () => {
  expect(lifeMsMax).toBe(60 * 60_000)
  const first = reading(await open())
  passedMs += lifeMsMax / 2
  const second = reading(await open())
  await write(1)
  await has(first, 'event: campaign.started')
  passedMs += lifeMsMax / 2 + 1
  await until(async () => first.ended, Boolean)
  await write(1)
  await until(
    async () => second.text.split('event: campaign.started').length,
    (parts) => parts === 3,
  )
  expect(second.ended).toBe(false)
})

test('a client with a mebibyte of unread data is disconnected, and others get everything', async () => {
  expect(unreadBytesMax).toBe(1024 * 1024)
  const stream = await open()
  const deaf = { ended: false }
  stream.readable.on('close', () => (deaf.ended = true))
  const heard = reading(await open())
  const words = 'x'.repeat(100_000)
  await write(9, words)
  await until(
    async () => heard.text.length,
    (length) => length > 9 * words.length,
  )
  expect(deaf.ended).toBe(false)
  await write(3, words)
  await until(async () => deaf.ended, Boolean)
  await until(
    async () => heard.text.length,
    (length) => length > 12 * words.length,
  )
  expect(heard.ended).toBe(false)
})

test('an account can have a hundred streams, and one more when a stream closes', async () => {
  expect(streamsPerAccountMax).toBe(100)
  const opened: EventStream[] = []
  for (let number = 0; number < streamsPerAccountMax; number++) opened.push(await open(`key_${number}`))
  await expect(open('key_more')).rejects.toMatchObject({ code: 'CONFLICT' })
  const elsewhere = { ...server.other.tenant, environment: 'live' as const }
  const others = await streams.open(elsewhere, { callerId: 'key_theirs', callerKind: 'key', filter, after: null })
  expect(others.readable.destroyed).toBe(false)
  const [left] = opened
  left?.readable.destroy()
  await until(
    async () => open('key_more').catch(() => null),
    (stream) => stream !== null,
  )
})

test('stop ends every stream at once', async () => {
  const heard = (await Promise.all(['key_1', 'key_1', 'key_2'].map(open))).map(reading)
  streams.stop()
  await until(
    async () => heard,
    (all) => all.every(({ ended }) => ended),
  )
})
