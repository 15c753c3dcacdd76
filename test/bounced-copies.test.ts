import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contactedWorld, type Contacted, type ContactedWorld } from '@overture/testing/server/contacted.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

const dayMs = 86_400_000
let world: MailWorld
let { contacted, reply, answer, acceptedBy } = {} as ContactedWorld
beforeAll(async () => {
  world = await startMailWorld()
  ;({ contacted, reply, answer, acceptedBy } = contactedWorld(world))
})
afterAll(() => world.stop())
beforeEach(() => {
  world.smtp.faults = []
})

const copy = 'copy@other.test'
const unknownUser = { code: 550, text: '5.1.1 no such user' }
const spam = { code: 554, text: '5.7.1 rejected as spam' }

let reports = 0
/** A delivery report about a message that names the recipients which failed. */
function report(of: Contacted, messageId: string, failed: readonly string[]) {
  const fields = failed.flatMap((one) => [
    `Final-Recipient: rfc822; ${one}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
  ])
  const lines = [
    'From: Mail Delivery System <mailer-daemon@mx.test>',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <report${++reports}@mx.test>`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    '',
    ...fields,
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${messageId}`,
    '',
    'Hi',
    '--b--',
  ]
  return world.receive(lines, of.senderId)
}

const leadOf = async ({ campaignId, leadId }: Contacted) =>
  (await world.live('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)).body
const isSuppressed = async (email: string) =>
  (await world.live('GET', `/v2/suppressions?q=${email}`)).body.results.length > 0
/** The message in the conversation of the lead. */
async function shown({ campaignId, leadId }: Contacted, messageId: string) {
  const { messages } = (await world.live('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/thread`)).body
  return messages.find((message: { messageId: string }) => message.messageId === messageId)
}
const eventsOf = ({ leadId }: Contacted) =>
  world.server.app.db.query(`select 1 from events where lead_id = $1 and type = 'message.bounced'`, [leadId])

/** The lead has no bounce, and its address can be written to. */
async function expectUnharmed(of: Contacted) {
  expect([(await leadOf(of)).status, await isSuppressed(of.email), await eventsOf(of)]).toEqual([
    expect.not.stringMatching('bounced'),
    false,
    [],
  ])
}

/** A reply to the lead with a copy to another address. */
async function replied(copies: object = { cc: [copy] }) {
  const of = await contacted()
  await answer(of)
  const [sent] = await acceptedBy(() => reply(of, copies))
  return { of, messageId: sent!.messageId! }
}

describe('a report about a copy of a reply', () => {
  test.each([
    ['a copy', { cc: [copy] }],
    ['a blind copy', { bcc: [copy] }],
  ])('about %s lists the recipient as refused and leaves the lead as it was', async (_name, copies) => {
    const { of, messageId } = await replied(copies)
    await report(of, messageId, [copy])
    await report(of, messageId, [copy.toUpperCase()])
    await expectUnharmed(of)
    expect(await shown(of, messageId)).toMatchObject({
      status: 'sent',
      refusedRecipients: [{ email: copy, code: '5.1.1' }],
    })
  })

  test('that names no known recipient changes nothing', async () => {
    const { of, messageId } = await replied()
    await report(of, messageId, ['forwarded@elsewhere.test'])
    await expectUnharmed(of)
    expect(await shown(of, messageId)).toMatchObject({ status: 'sent', refusedRecipients: [] })
  })

  test.each([
    ['the lead', (lead: string) => [lead]],
    ['the copy and the lead', (lead: string) => [copy, lead]],
    ['the lead and the copy', (lead: string) => [lead, copy]],
  ])('and %s counts for the lead if it names the lead', async (_name, failed) => {
    const { of, messageId } = await replied()
    await report(of, messageId, failed(of.email))
    expect([await isSuppressed(of.email), await isSuppressed(copy)]).toEqual([true, false])
    expect(await shown(of, messageId)).toMatchObject({
      status: 'bounced',
      refusedRecipients: failed(of.email).includes(copy) ? [{ email: copy }] : [],
    })
  })
})

describe('a reply that goes to another address than the lead', () => {
  async function sentElsewhere() {
    const of = await contacted()
    await answer(of, [`Reply-To: ${copy}`])
    return of
  }

  test('bounces without consequences for the lead when a report comes', async () => {
    const of = await sentElsewhere()
    const [sent] = await acceptedBy(() => reply(of))
    expect(sent!.to).toEqual([copy])
    await report(of, sent!.messageId!, [copy])
    await report(of, sent!.messageId!, [of.email])
    await expectUnharmed(of)
    expect(await shown(of, sent!.messageId!)).toMatchObject({ status: 'bounced' })
  })

  test('bounces without consequences for the lead when the server refuses it', async () => {
    const of = await sentElsewhere()
    world.smtp.faults = [{ stage: 'rcpt', only: copy, action: unknownUser }]
    expect(await acceptedBy(() => reply(of))).toEqual([])
    await expectUnharmed(of)
    const { messages } = (await world.live('GET', `/v2/campaigns/${of.campaignId}/leads/${of.leadId}/thread`)).body
    expect(messages.at(-1)).toMatchObject({ kind: 'manual', status: 'bounced' })
  })
})

test.each([
  ['is suppressed for its own reply', unknownUser, spam, true],
  ['is not suppressed for the reply about a copy', spam, unknownUser, false],
])('a lead that the server refuses together with a copy %s', async (_name, forLead, forCopy, suppressed) => {
  const of = await contacted()
  await answer(of)
  world.smtp.faults = [
    { stage: 'rcpt', only: of.email, action: forLead },
    { stage: 'rcpt', only: copy, action: forCopy },
  ]
  expect(await acceptedBy(() => reply(of, { cc: [copy] }))).toEqual([])
  expect(await isSuppressed(of.email)).toBe(suppressed)
})

describe('a notice of a lead’s meeting to another attendee', () => {
  const meet = (of: Contacted, attendees: string[]) =>
    world.live('POST', '/v2/meetings', {
      title: 'Talk',
      startAt: new Date(Date.now() + dayMs),
      endAt: new Date(Date.now() + dayMs + 1_800_000),
      leadId: of.leadId,
      attendees: attendees.map((email) => ({ email })),
    })

  test('bounces without consequences for the lead when a report comes', async () => {
    const of = await contacted()
    const notices = await acceptedBy(() => meet(of, [of.email, copy]))
    const notice = notices.find(({ to }) => to.includes(copy))!
    await report(of, notice.messageId!, [copy])
    await expectUnharmed(of)
    expect(await isSuppressed(copy)).toBe(false)
  })

  test('bounces without consequences for the lead when the server refuses it', async () => {
    const of = await contacted()
    world.smtp.faults = [{ stage: 'rcpt', only: copy, action: unknownUser }]
    const notices = await acceptedBy(() => meet(of, [of.email, copy]))
    expect(notices.map(({ to }) => to)).toEqual([[of.email]])
    await expectUnharmed(of)
  })

  test('soft bounces of other attendees never add up for the lead', async () => {
    const of = await contacted()
    world.smtp.faults = [{ stage: 'rcpt', only: copy, action: { code: 552, text: '5.2.2 mailbox full' } }]
    for (let times = 0; times < 3; times++) await acceptedBy(() => meet(of, [of.email, copy]))
    world.smtp.faults = [{ stage: 'rcpt', only: of.email, action: { code: 552, text: '5.2.2 mailbox full' } }]
    await acceptedBy(() => meet(of, [of.email]))
    expect(await isSuppressed(of.email)).toBe(false)
  })
})
