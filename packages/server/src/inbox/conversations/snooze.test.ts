import { answeringLead, receiveFrom } from '@overture/testing/inbox/answering-lead.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let senderId: string

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

const clock = async () => new Date((await call('GET', '/v2/sandbox/clock')).body.now)
const inHours = async (hours: number) => new Date((await clock()).getTime() + hours * 3_600_000).toISOString()

beforeAll(async () => {
  server = await startWholeServer()
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  await call('POST', '/v2/sandbox/clock', { frozen: true })
})
afterAll(() => server.stop())

const lead = async () => answeringLead(server, { senderId, now: await clock() })
const listed = async (campaignId: string, filter: string) =>
  (await call('GET', `/v2/conversations?campaignId=${campaignId}&${filter}`)).body.results.length

describe('a snoozed conversation', () => {
  test('is not listed as awaiting until its time by the test clock, and then again', async () => {
    const one = await lead()
    const until = await inHours(5)
    const { status, body } = await call('PUT', one.path, { snoozedUntil: until })
    expect([status, body.snoozedUntil, body.awaiting]).toEqual([200, until, true])
    const lists = async () => [
      await listed(one.campaignId, 'awaiting=true'),
      await listed(one.campaignId, 'snoozed=true'),
      await listed(one.campaignId, 'snoozed=false'),
      await listed(one.campaignId, ''),
    ]
    expect(await lists()).toEqual([0, 1, 0, 1])
    expect((await call('GET', '/v2/conversations/counts')).body).toMatchObject({ snoozed: 1 })
    await call('POST', '/v2/sandbox/clock/advance', { by: '4h' })
    expect(await lists()).toEqual([0, 1, 0, 1])
    await call('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    expect(await lists()).toEqual([1, 0, 1, 1])
    expect((await call('GET', one.path)).body.snoozedUntil).toBeNull()
    expect((await call('GET', '/v2/conversations/counts')).body).toMatchObject({ snoozed: 0 })
  })

  test('is listed again after a message of the lead, but not after an automatic reply', async () => {
    const one = await lead()
    await call('PUT', one.path, { snoozedUntil: await inHours(48) })
    const away = ['Auto-Submitted: auto-replied']
    await receiveFrom(server, senderId, one, { headers: away, text: 'I am away.', at: await clock() })
    expect(await listed(one.campaignId, 'awaiting=true')).toBe(0)
    await receiveFrom(server, senderId, one, { at: await clock() })
    expect(await listed(one.campaignId, 'awaiting=true')).toBe(1)
    expect((await call('GET', one.path)).body.snoozedUntil).toBeNull()
  })

  test('can be ended, and its own time can be sent back unchanged', async () => {
    const one = await lead()
    const until = await inHours(1)
    await call('PUT', one.path, { snoozedUntil: until })
    await call('POST', '/v2/sandbox/clock/advance', { by: '2h' })
    expect((await call('PUT', one.path, { snoozedUntil: until, read: true })).status).toBe(200)
    const whole = (await call('GET', one.path)).body
    expect((await call('PUT', one.path, whole)).status).toBe(200)
    await call('PUT', one.path, { snoozedUntil: await inHours(9) })
    expect((await call('PUT', one.path, { snoozedUntil: null })).body.snoozedUntil).toBeNull()
    expect(await listed(one.campaignId, 'awaiting=true')).toBe(1)
  })

  test('needs a time within the next year, and is out of reach for other accounts', async () => {
    const one = await lead()
    for (const snoozedUntil of [await inHours(0), await inHours(-1), await inHours(24 * 367), 'tomorrow', 7]) {
      const { status, body } = await call('PUT', one.path, { snoozedUntil })
      expect([snoozedUntil, status, body.error.details.issues[0].path]).toEqual([snoozedUntil, 400, 'snoozedUntil'])
    }
    const snoozedUntil = await inHours(24)
    expect((await call('PUT', one.path, { snoozedUntil }, server.other.keys.test)).status).toBe(404)
    expect((await call('GET', one.path)).body.snoozedUntil).toBeNull()
  })

  test('keeps what two people do at the same time: one snoozes, the other one replies', async () => {
    const one = await lead()
    const [snoozed, replied] = await Promise.all([
      call('PUT', one.path, { snoozedUntil: await inHours(24) }),
      call('POST', `${one.path}/reply`, { text: 'Gladly.' }),
    ])
    expect([snoozed.status, replied.status]).toEqual([200, 202])
    const { body } = await call('GET', one.path)
    expect(body).toMatchObject({ awaiting: false, snoozedUntil: snoozed.body.snoozedUntil })
    expect(body.messages.filter(({ kind }: { kind: string }) => kind === 'manual')).toHaveLength(1)
  })
})
