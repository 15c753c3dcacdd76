import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { calendarHook } from '../../meetings/index.ts'
import { receiveMessage } from './receive.commands.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
let server: TestServer
let senderId: string
let count = 0

beforeAll(async () => {
  server = await startWholeServer()
  const sender = { email: 'sales@tenant.test', fromName: 'Sales', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

async function call(method: string, path: string, body?: unknown) {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.body
}

/** The calendar of the conversation's inbound message, read over the API, and the meetings of the lead. */
async function received(method: string, ...fields: string[]) {
  const lead = await contactedLead(server, { senderId, now })
  const raw = [
    `Message-ID: <calendar${++count}@acme.test>`,
    `From: ${lead.email}`,
    `In-Reply-To: ${lead.rfcMessageId}`,
    'Subject: Meeting',
    'MIME-Version: 1.0',
    `Content-Type: text/calendar; method=${method}`,
    '',
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:uid${count}@acme.test`,
    'SUMMARY:Intro call',
    ...fields,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  const mail = { sendingAccountId: senderId, raw: Buffer.from(raw), folder: 'INBOX', junk: false, uid: count }
  const hooks = { calendar: calendarHook(server.app) }
  await receiveMessage(server.app, server.testTenant, { ...mail, receivedAt: now, now }, hooks)
  const { results } = await call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)
  const { messages } = await call('GET', `/v2/conversations/${results[0].id}`)
  const inbound = messages.find(({ direction }: { direction: string }) => direction === 'inbound')
  const meetings = (await call('GET', `/v2/meetings?leadId=${lead.leadId}`)).results
  return { calendar: inbound.classification.calendar, meetings }
}

describe('the time in a received calendar', () => {
  test.each([
    ['without a zone', ['DTSTART:20310505T080000', 'DTEND:20310505T083000']],
    ['in an unknown zone', ['DTSTART;TZID=Our office:20310505T080000', 'DTEND;TZID=Our office:20310505T083000']],
    ['without a zone and an end', ['DTSTART:20310505T080000']],
  ])('is unknown %s, and no meeting is booked', async (_, fields) => {
    expect(await received('REQUEST', ...fields)).toEqual({
      calendar: { method: 'request', startAt: null, endAt: null },
      meetings: [],
    })
  })

  test('is used for the conversation and for the booked meeting', async () => {
    const { calendar, meetings } = await received(
      'REQUEST',
      'DTSTART;TZID=Europe/Berlin:20310505T080000',
      'DTEND;TZID=Europe/Berlin:20310505T083000',
    )
    const time = { startAt: '2031-05-05T06:00:00.000Z', endAt: '2031-05-05T06:30:00.000Z' }
    expect(calendar).toEqual({ method: 'request', ...time })
    expect(meetings).toMatchObject([time])
  })

  test('is unknown in a cancellation without a zone', async () => {
    const { calendar } = await received('CANCEL', 'DTSTART:20310505T080000')
    expect(calendar).toEqual({ method: 'cancel', startAt: null, endAt: null })
  })
})
