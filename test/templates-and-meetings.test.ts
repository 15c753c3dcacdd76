import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createPublicRoutes, createRoutes } from '@overture/server/composition/routes.ts'
import { createServices, type Services } from '@overture/server/composition/services.ts'

let server: TestServer
let services: Services
let campaignId: string
let senderId: string

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const post = async (path: string, body: unknown) => {
  const answer = await call('POST', path, body)
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
  return answer.body
}
const get = async (path: string) => (await call('GET', path)).body

beforeAll(async () => {
  server = await startTestServer({
    async compose({ app, database: { url: databaseUrl } }) {
      services = await createServices({ app, engine: app, databaseUrl })
      return {
        admission: services.admission,
        routes: createRoutes(app, services),
        publicRoutes: createPublicRoutes(app, services),
        stop: () => services.stop(),
      }
    },
  })
  await post('/v2/sandbox/clock', { frozen: true })
  await post('/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  const sender = await post('/v2/sending-accounts', {
    email: 'mara@run.test',
    fromName: 'Mara Vogel',
    provider: 'sandbox',
    timezone: 'UTC',
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  senderId = sender.id
})
afterAll(() => server.stop())

const leads = ['inviter', 'answerer', 'stranger'].map((name) => ({ email: `${name}@prospects.test`, firstName: name }))
const schedule = {
  timezone: 'UTC',
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }],
}

describe('templates', () => {
  test('are copied into steps, and fields in the step take precedence', async () => {
    const opening = await post('/v2/templates', {
      name: 'Opening',
      subject: 'Hi {{ firstName }}',
      body: 'One {{ meetingUrl }}',
    })
    const nudge = await post('/v2/templates', { name: 'Nudge', subject: 'Never seen', body: 'Two' })
    const made = await post('/v2/campaigns', {
      name: 'From templates',
      sendingAccountIds: [senderId],
      schedule,
      steps: [
        { variants: [{ templateId: opening.id }, { templateId: opening.id, subject: 'Another for {{ firstName }}' }] },
        { waitBefore: { value: 1, unit: 'days' }, variants: [{ templateId: nudge.id }] },
      ],
    })
    campaignId = made.id
    const texts = (campaign: typeof made) =>
      campaign.steps.map((step: { variants: { subject: string; body: string }[] }) =>
        step.variants.map(({ subject, body }) => [subject, body]),
      )
    const expected = [
      [
        ['Hi {{ firstName }}', 'One {{ meetingUrl }}'],
        ['Another for {{ firstName }}', 'One {{ meetingUrl }}'],
      ],
      [['', 'Two']],
    ]
    expect(texts(made)).toEqual(expected)
    // The campaign has a copy, so changes of the template don't affect it. The response of GET is valid input for PUT.
    await call('PUT', `/v2/templates/${nudge.id}`, { body: 'Changed since' })
    await call('DELETE', `/v2/templates/${opening.id}`)
    expect(
      texts((await call('PUT', `/v2/campaigns/${campaignId}`, await get(`/v2/campaigns/${campaignId}`))).body),
    ).toEqual(expected)
    const gone = await call('PUT', `/v2/campaigns/${campaignId}`, {
      steps: [{ variants: [{ templateId: opening.id }] }],
    })
    expect(gone.status).toBe(404)
    const foreign = await server.call('POST', '/v2/campaigns', {
      key: server.other.keys.test,
      body: { name: 'Theirs', steps: [{ variants: [{ templateId: nudge.id }] }] },
    })
    expect(foreign.status).toBe(404)
  })
})

describe('calendar messages in the inbox', () => {
  interface Part {
    method: 'REQUEST' | 'REPLY' | 'CANCEL'
    uid: string
    sequence: number
    startAt: string
    partstat?: string
    attendee?: string
    /** Our own Message-ID, which proves that a recipient of it wrote the mail. */
    inReplyTo?: string
  }
  let uid = 0
  const stamp = (at: string) => at.replace(/[-:]|\.\d+/g, '')

  /** A message as Google, Microsoft and Apple send it: text and calendar as alternatives, the calendar in base64. */
  async function mail(from: string, part: Part): Promise<void> {
    const calendar = [
      'BEGIN:VCALENDAR',
      'PRODID:-//Example//Calendar//EN',
      'VERSION:2.0',
      `METHOD:${part.method}`,
      'BEGIN:VEVENT',
      `UID:${part.uid}`,
      `SEQUENCE:${part.sequence}`,
      'DTSTAMP:20270201T080000Z',
      `DTSTART:${stamp(part.startAt)}`,
      `DTEND:${stamp(new Date(Date.parse(part.startAt) + 1_800_000).toISOString())}`,
      'SUMMARY:Talk about it',
      'ORGANIZER:mailto:someone@example.com',
      `ATTENDEE;PARTSTAT=${part.partstat ?? 'NEEDS-ACTION'}:mailto:${part.attendee ?? 'mara@run.test'}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
    const number = ++uid
    const raw = [
      `From: <${from}>`,
      'To: <mara@run.test>',
      `Subject: Invitation ${number}`,
      `Message-ID: <calendar-${number}@prospects.test>`,
      ...(part.inReplyTo === undefined ? [] : [`In-Reply-To: ${part.inReplyTo}`]),
      'Date: Tue, 02 Feb 2027 09:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'You have an invitation.',
      '--b',
      `Content-Type: text/calendar; charset=utf-8; method=${part.method}`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(calendar).toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--',
      '',
    ].join('\r\n')
    const receivedAt = new Date((await get('/v2/sandbox/clock')).now)
    await services.sandbox.receive(server.testTenant, {
      sendingAccountId: senderId,
      raw: Buffer.from(raw),
      uid: number,
      receivedAt,
    })
  }

  const leadOf = async (name: string) =>
    (await get(`/v2/campaigns/${campaignId}/leads`)).results.find((lead: { email: string }) =>
      lead.email.startsWith(name),
    )
  const meetingsOf = async (name: string) => (await get(`/v2/meetings?leadId=${(await leadOf(name)).id}`)).results

  test('an invitation books and ends the sequence, an update moves, a cancellation cancels', async () => {
    await post(`/v2/campaigns/${campaignId}/leads`, { leads })
    await post(`/v2/campaigns/${campaignId}/start`, {})
    await post('/v2/sandbox/clock/advance', { by: '6h' })
    const unproven = { uid: 'abc@example.com', sequence: 0, startAt: '2027-02-09T10:00:00Z' }
    await mail('inviter@prospects.test', { method: 'REQUEST', ...unproven })
    expect(await meetingsOf('inviter')).toEqual([])
    const { messages } = await get(`/v2/campaigns/${campaignId}/leads/${(await leadOf('inviter')).id}/thread`)
    const invitation = { ...unproven, inReplyTo: messages[0].messageId }
    await mail('inviter@prospects.test', { method: 'REQUEST', ...invitation })
    expect(await meetingsOf('inviter')).toMatchObject([
      { status: 'booked', source: 'calendar_invite', title: 'Talk about it', startAt: '2027-02-09T10:00:00.000Z' },
    ])
    expect(await leadOf('inviter')).toMatchObject({
      interest: 'meeting_booked',
      status: expect.stringMatching(/stopped|replied/),
    })
    // A calendar from another sender is ignored, whatever its UID.
    await mail('stranger@prospects.test', { method: 'CANCEL', ...unproven, sequence: 9 })
    expect(await meetingsOf('inviter')).toMatchObject([{ status: 'booked' }])
    await mail('inviter@prospects.test', {
      method: 'REQUEST',
      ...invitation,
      sequence: 1,
      startAt: '2027-02-10T10:00:00Z',
    })
    expect(await meetingsOf('inviter')).toMatchObject([{ status: 'rescheduled', startAt: '2027-02-10T10:00:00.000Z' }])
    await mail('inviter@prospects.test', { method: 'CANCEL', ...invitation, sequence: 2 })
    expect(await meetingsOf('inviter')).toMatchObject([{ status: 'canceled' }])
    const types = (await get(`/v2/events?limit=100`)).results.map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type.startsWith('meeting.'))).toEqual([
      'meeting.booked',
      'meeting.rescheduled',
      'meeting.canceled',
    ])
  })

  test('answers to our invitation are read: a decline after an acceptance cancels', async () => {
    const lead = await leadOf('answerer')
    const { messages } = await get(`/v2/campaigns/${campaignId}/leads/${lead.id}/thread`)
    // The link acts for its recipient, so readers of the thread see only that it exists. The recipient's mailbox has the whole link.
    expect(messages[0].text).toMatch(/\/b\/hidden/)
    const { results } = await get(`/v2/sandbox/messages?leadId=${lead.id}&direction=to_prospect`)
    const received = await get(`/v2/sandbox/messages/${results.at(-1).id}`)
    const page = new URL(/https?:\/\/\S+\/b\/[^\s"<]+/.exec(received.text)![0]).pathname
    const [startAt] = /(?<=name="startAt" value=")[^"]+/.exec((await server.call('GET', page)).text)!
    const booked = await server.call('POST', page, {
      body: new URLSearchParams({ startAt, timezone: 'UTC', name: 'A', email: lead.email, action: 'book' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(booked.status).toBe(303)
    await post('/v2/sandbox/clock/advance', { by: '1h' })
    const [meeting] = await meetingsOf('answerer')
    expect(meeting).toMatchObject({ status: 'booked', source: 'booking_page', startAt })
    const answer = (partstat: string): Part => ({
      method: 'REPLY',
      uid: `${meeting.id}@overture`,
      sequence: 0,
      startAt,
      partstat,
      attendee: lead.email,
    })
    await mail('stranger@prospects.test', answer('DECLINED'))
    expect(await meetingsOf('answerer')).toMatchObject([{ status: 'booked' }])
    await mail(lead.email, answer('TENTATIVE'))
    expect(await meetingsOf('answerer')).toMatchObject([
      { status: 'booked', attendees: [{ email: lead.email, status: 'tentative' }] },
    ])
    await mail(lead.email, answer('DECLINED'))
    expect(await meetingsOf('answerer')).toMatchObject([{ status: 'canceled', attendees: [{ status: 'declined' }] }])
  })
})
