import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactedWorld, type Contacted, type ContactedWorld } from '@overture/testing/server/contacted.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
let { contacted, reply, answer, acceptedBy } = {} as ContactedWorld
beforeAll(async () => {
  world = await startMailWorld()
  ;({ contacted, reply, answer, acceptedBy } = contactedWorld(world))
})
afterAll(() => world.stop())

let complaints = 0
/** A spam complaint about a message. Without `named`, the provider removed the recipient from the report. */
function complain(of: Contacted, messageId: string, named: readonly string[] = []) {
  const lines = [
    'From: Feedback loop <fbl@mx.test>',
    'Subject: Abuse',
    `Message-ID: <complaint${++complaints}@mx.test>`,
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'Version: 1',
    ...named.map((email) => `Original-Rcpt-To: ${email}`),
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${messageId}`,
    `To: ${of.email}`,
    '',
    'Hi',
    '--b--',
  ]
  return world.receive(lines, of.senderId)
}

const statusOf = async ({ campaignId, leadId }: Contacted) =>
  (await world.live('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)).body.status
const toSource = async (email: string) =>
  (await world.live('GET', `/v2/suppressions?q=${email}`)).body.results.map((one: { source: string }) => one.source)

let copies = 0
/** A reply to the lead with a copy to another address. */
async function replied(field: 'cc' | 'bcc' = 'cc', copy = `copy${++copies}@other.test`) {
  const of = await contacted()
  await answer(of)
  const [sent] = await acceptedBy(() => reply(of, { [field]: [copy] }))
  return { of, copy, messageId: sent!.messageId! }
}

describe('a complaint about a reply with copies', () => {
  test.each(['cc', 'bcc'] as const)('suppresses only the %s recipient that it names', async (field) => {
    const { of, copy, messageId } = await replied(field)
    await complain(of, messageId, [copy.toUpperCase()])
    expect([await toSource(of.email), await toSource(copy), await statusOf(of)]).toEqual([[], ['unproven'], 'replied'])
  })

  test('opts out the lead if it names the lead', async () => {
    const { of, copy, messageId } = await replied()
    await complain(of, messageId, [of.email])
    expect([await toSource(of.email), await toSource(copy)]).toEqual([['complaint'], []])
    expect(await statusOf(of)).toBe('unsubscribed')
  })

  test.each([
    ['no recipient', []],
    ['an address that got no copy', ['else@other.test']],
  ])('suppresses no address if it names %s', async (_name, named) => {
    const { of, copy, messageId } = await replied()
    await complain(of, messageId, named)
    expect([await toSource(of.email), await toSource(copy), await toSource('else@other.test')]).toEqual([[], [], []])
    expect(await statusOf(of)).toBe('replied')
  })

  test('opts out the lead if the only copy went to our own mailbox', async () => {
    const other = await contacted()
    const { body } = await world.live('GET', `/v2/sending-accounts/${other.senderId}`)
    const { of, messageId } = await replied('cc', body.email)
    await complain(of, messageId)
    expect([await toSource(of.email), await toSource(body.email)]).toEqual([['complaint'], []])
  })

  test('suppresses a copy that is a lead elsewhere, and an admin can lift it', async () => {
    const other = await contacted()
    const before = await statusOf(other)
    const { of, messageId } = await replied('cc', other.email)
    await complain(of, messageId, [other.email])
    expect([await toSource(other.email), await statusOf(other)]).toEqual([['unproven'], before])
    const [entry] = (await world.live('GET', `/v2/suppressions?q=${other.email}`)).body.results
    expect((await world.live('DELETE', `/v2/suppressions/${entry.id}`)).status).toBe(200)
  })
})

test('a complaint about a reply to another address than the lead suppresses that address', async () => {
  const of = await contacted()
  await answer(of, ['Reply-To: desk@other.test'])
  const [sent] = await acceptedBy(() => reply(of))
  await complain(of, sent!.messageId!, [of.email])
  expect([await toSource(of.email), await toSource('desk@other.test')]).toEqual([[], ['complaint']])
  expect(await statusOf(of)).toBe('replied')
})

test('a complaint by a copy about a deleted message leaves its lead unsuppressed', async () => {
  const { of, copy, messageId } = await replied()
  await world.live('POST', `/v2/campaigns/${of.campaignId}/pause`)
  expect((await world.live('DELETE', `/v2/campaigns/${of.campaignId}`)).status).toBe(200)
  await world.runJobs(['campaigns.purge'])
  await complain(of, messageId, [copy])
  expect([await toSource(of.email), await toSource(copy)]).toEqual([[], ['unproven']])
  await complain(of, messageId)
  const hash = world.server.app.secrets.addressHash(of.email)
  const rows = await world.server.app.db.query('select source from suppressions where address_hash = $1', [hash])
  expect(rows).toEqual([{ source: 'complaint' }])
})
