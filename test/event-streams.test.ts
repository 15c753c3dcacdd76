import { afterAll, beforeAll, expect, test } from 'vitest'
import { event } from '@overture/contract/events/events-endpoints.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { until } from '@overture/testing/server/until.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { appendEvents, type NewEvent } from '../packages/server/src/platform/events/events.sql.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

interface Told {
  id?: string
  event?: string
  data?: string
}

/** Opens a stream and collects its events. */
async function open(query = '', { key = server.keys.live, lastEventId }: { key?: string; lastEventId?: string } = {}) {
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/v2/events/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: leaving.signal,
  })
  const received: Told[] = []
  let text = ''
  let ended = false
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts)
        received.push(Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))) as Told)
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true))
  const events = () => received.filter(({ id }) => id !== undefined)
  const close = async () => {
    leaving.abort()
    await reading
  }
  return { response, told: received, events, close, ended: () => ended }
}

const at = new Date('2026-03-01T10:00:00Z')
const started = (campaignId: string): NewEvent => ({ type: 'campaign.started', occurredAt: at, campaignId })
const write = (events: NewEvent[], tenant = server.tenant) =>
  server.app.db.transaction((tx) => appendEvents(tx, tenant, events))

test('sends new events as the log returns them, to the account only', async () => {
  await write([started('cmp_before')])
  const stream = await open()
  const other = await open('', { key: server.other.keys.live })
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  const ids = await write([started('cmp_1'), { type: 'lead.added', occurredAt: at, campaignId: 'cmp_1' }])
  await until(
    async () => stream.events(),
    (events) => events.length === 2,
  )
  expect(stream.events().map(({ id, event: type }) => [id, type])).toEqual([
    [ids[0], 'campaign.started'],
    [ids[1], 'lead.added'],
  ])
  const answered = await server.call('GET', '/v2/events?limit=100', { key: server.keys.live })
  for (const { id, data } of stream.events()) {
    const parsed: unknown = JSON.parse(data ?? '')
    expect(event.safeParse(parsed).success).toBe(true)
    expect(parsed).toEqual(answered.body.results.find((one: { id: string }) => one.id === id))
  }
  expect(other.events()).toEqual([])
  await Promise.all([stream.close(), other.close()])
})

test("continues after the client's last event, by header or query, with its filters", async () => {
  const [first] = await write([started('cmp_a')])
  const missed = await write([started('cmp_a'), { type: 'lead.added', occurredAt: at, campaignId: 'cmp_b' }])
  const byHeader = await open('', { lastEventId: first! })
  const filtered = await open(`?after=${first}&types=lead.added,lead.unsubscribed&campaignId=cmp_b`)
  await until(
    async () => byHeader.events(),
    (events) => events.length === 2,
  )
  await until(
    async () => filtered.events(),
    (events) => events.length === 1,
  )
  const later = await write([{ type: 'lead.added', occurredAt: at, campaignId: 'cmp_b' }, started('cmp_b')])
  await until(
    async () => byHeader.events(),
    (events) => events.length === 4,
  )
  await until(
    async () => filtered.events(),
    (events) => events.length === 2,
  )
  expect(byHeader.events().map(({ id }) => id)).toEqual([...missed, ...later])
  expect(filtered.events().map(({ id }) => id)).toEqual([missed[1], later[0]])
  await Promise.all([byHeader.close(), filtered.close()])
})

test('a client with an unknown or too old position gets a reset, and the stream ends', async () => {
  const gone = await open('?after=evt_nothing')
  await until(async () => gone.ended(), Boolean)
  expect(gone.told.map(({ event: type }) => type).filter(Boolean)).toEqual(['reset'])
  const [first] = await write([started('cmp_far')])
  for (let batch = 0; batch < 11; batch++) await write(Array.from({ length: 1_000 }, () => started('cmp_far')))
  const behind = await open(`?after=${first}`)
  await until(async () => behind.ended(), Boolean)
  expect(behind.told.map(({ event: type }) => type).filter(Boolean)).toEqual(['reset'])
})

test('a key can have two streams at once, and a closed one makes room', async () => {
  const [one, two] = [await open(), await open()]
  const third = await open()
  expect(third.response.status).toBe(409)
  await third.close()
  await one.close()
  const again = await until(
    async () => open(),
    ({ response }) => response.status === 200,
  )
  await Promise.all([two.close(), again.close()])
})

test('a stream that opens while another one closes gets its place', async () => {
  const [one, two] = [await open(), await open()]
  const [again] = await Promise.all([open(), one.close()])
  expect(again.response.status).toBe(200)
  await Promise.all([two.close(), again.close()])
})

test('a stream ends when its key is revoked', async () => {
  const made = await server.newKey()
  const stream = await open('', { key: made.key })
  expect(stream.response.status).toBe(200)
  expect((await server.call('DELETE', `/v2/account/api-keys/${made.id}`, { key: server.keys.live })).status).toBe(200)
  await until(async () => stream.ended(), Boolean)
})

test('wrong types are refused, and a live key gets no clock event', async () => {
  const refused = await server.call('GET', '/v2/events/stream?types=lead.eaten', { key: server.keys.live })
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'types'])
})

test('in the test environment a change of the clock is sent', async () => {
  const clock = (frozen: boolean) =>
    server.call('POST', '/v2/sandbox/clock', { key: server.keys.test, body: { frozen } })
  const frozen = (await clock(true)).body
  const stream = await open('', { key: server.keys.test })
  const clocks = () =>
    stream.told.filter(({ event: type }) => type === 'clock').map(({ data }) => JSON.parse(data ?? ''))
  await until(
    async () => clocks(),
    (all) => all.length === 1,
  )
  expect(clocks()).toEqual([{ now: frozen.now, frozen: true, target: null }])
  await clock(false)
  await until(
    async () => clocks(),
    (all) => all.some((one) => one.frozen === false),
  )
  await stream.close()
})
