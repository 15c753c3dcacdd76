import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())

const live: MailWorld['live'] = (method, path, body) => world.live(method, path, body)
const work: MailWorld['work'] = (now) => world.work(now)
const sentTo = (email: string) =>
  world.smtp.accepted.filter(({ to }) => to.includes(email)).map(({ raw }) => raw.toString())
const rawTo = (email: string) => world.smtp.accepted.find(({ to }) => to.includes(email))?.raw ?? Buffer.alloc(0)
const plan = Buffer.from('The plan: %PDF-nothing')
const file = plan.toString('base64')
/** Base64 in lines of 76 characters, as mail programs write it. */
const inLines = (content: Buffer) => content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
const named = (name: string) => ({ name, content: plan })

/** Bytes in a pattern that reveals missing or swapped pieces. */
function patterned(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) content.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return content
}

const forward = (one: Conversation, email: string) =>
  live('POST', `${one.path}/forward`, { messageId: one.answerId, to: [email] })

interface Conversation {
  path: string
  campaignId: string
  leadId: string
  answerId: string
}

interface ReceivedFile {
  name: string
  content: Buffer
}

let answers = 0

/** A lead that got a message with an opt-out link, and answered with that link in its quote, and with a file. */
async function conversation(
  files: readonly ReceivedFile[] = [named('plan.pdf')],
): Promise<Conversation & { link: string }> {
  const { app, tenant } = world.server
  const senderId = await insertTestSender(app.db, tenant, { port: world.smtp.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now() })
  await work()
  const [lead] = (await live('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  const [first] = (await live('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}/thread`)).body.messages
  const raw = sentTo(lead.email).at(-1)!.replaceAll('=\r\n', '').replaceAll('\r\n ', '')
  const link = /https?:\/\/[^\s<>"]+\/u\/[\w.~-]+/.exec(raw)?.[0] ?? 'no link'
  const parts = files.map(
    ({ name, content }) =>
      `--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment;\r\n filename*=UTF-8''${encodeURIComponent(name)}\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${inLines(content)}\r\n`,
  )
  const lines = [
    `From: Ada <${lead.email}>`,
    'To: sender@example.com',
    'Subject: Re: Hello',
    `Message-ID: <forwarded${++answers}@acme.test>`,
    `In-Reply-To: ${first.messageId}`,
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    `--b\r\nContent-Type: text/plain\r\n\r\nTell me more.\r\n\r\nOn 1 March Sender wrote:\r\n> Hi\r\n> Unsubscribe: ${link}\r\n`,
    ...parts,
    '--b--',
  ]
  await world.receive(lines, senderId)
  const [found] = (await live('GET', `/v2/conversations?campaignId=${campaign.id}`)).body.results
  const path = `/v2/conversations/${found.id}`
  const { messages } = (await live('GET', path)).body
  return { path, campaignId: campaign.id, leadId: lead.id, answerId: messages.at(-1).id, link }
}

describe('a forward', () => {
  test('is sent once with the original and its files, without the links of the lead', async () => {
    const one = await conversation()
    expect(one.link).toMatch(/^http/)
    const body = {
      messageId: one.answerId,
      to: ['ada@colleagues.test', 'ADA@colleagues.test'],
      text: 'Can you answer?',
    }
    const options = { key: world.server.keys.live, body, headers: { 'idempotency-key': 'forward-1' } }
    const first = await world.server.call('POST', `${one.path}/forward`, options)
    const again = await world.server.call('POST', `${one.path}/forward`, options)
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id])
    await work()
    await work(new Date(world.server.app.clock.now().getTime() + 3_600_000))
    const [mail, ...more] = sentTo('ada@colleagues.test')
    expect(more).toEqual([])
    const plain = mail!.replaceAll('=\r\n', '')
    expect(plain).toMatch(/^Subject: Fwd: /m)
    expect(plain).toContain('Can you answer?')
    expect(plain).toContain('Tell me more.')
    expect(plain).toContain('Forwarded message')
    expect(plain).toContain('plan.pdf')
    expect(mail).toContain(file)
    expect(plain).not.toContain(one.link.split('/').at(-1))
    expect(plain).not.toMatch(/\/(?:u|o|c)\//)
    expect(plain).not.toMatch(/^(?:List-Unsubscribe|In-Reply-To|References):/im)
  })

  test('is listed in the conversation, and changes neither the lead, the conversation nor a statistic', async () => {
    const one = await conversation()
    const state = async () => ({
      lead: (await live('GET', `/v2/campaigns/${one.campaignId}/leads/${one.leadId}`)).body,
      stats: (await live('GET', `/v2/campaigns/${one.campaignId}/stats`)).body,
      activity: (await live('GET', '/v2/campaigns/activity?limit=100')).body.results,
      thread: (await live('GET', one.path)).body.messages,
      conversation: (await live('GET', `/v2/conversations?campaignId=${one.campaignId}`)).body.results,
    })
    const before = await state()
    const sent = await live('POST', `${one.path}/forward`, { messageId: one.answerId, to: ['bob@colleagues.test'] })
    expect(sent.body).toMatchObject({
      messageId: one.answerId,
      to: ['bob@colleagues.test'],
      text: null,
      status: 'queued',
    })
    await work()
    expect(sentTo('bob@colleagues.test')).toHaveLength(1)
    expect(await state()).toEqual(before)
    expect((await live('GET', one.path)).body.forwards).toMatchObject([{ id: sent.body.id, status: 'sent' }])
  })

  test.each([
    ['a path of Windows', '..\\..\\run me.exe', 'run me.exe'],
    ['a path of Unix', '../../etc/passwd', 'passwd'],
    ['a direction that hides its ending', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['300 characters', `${'n'.repeat(296)}.pdf`, `${'n'.repeat(196)}.pdf`],
    ['control characters', 'a\u0000\u0007\u001B[31mb\u007F.txt', 'a[31mb.txt'],
    ['HTML', '<img src=x onerror=alert(1)>.html', '_img src=x onerror=alert(1)_.html'],
    ['a name of a device', 'CON.txt', '_CON.txt'],
    ['a header after a line break', 'a\r\nBcc: eve@example.com\r\n.txt', 'aBcc_ eve@example.com.txt'],
    ['nothing that is left', '../..', 'attachment-1.pdf'],
  ])('has a file whose name is %s under a safe name', async (kind, given, safe) => {
    const one = await conversation([named(given)])
    const to = `${kind.replaceAll(' ', '-').toLowerCase()}@colleagues.test`
    expect((await forward(one, to)).status).toBe(202)
    await work()
    const mail = await PostalMime.parse(rawTo(to))
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([safe])
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(plan)
    expect(mail.bcc).toBeUndefined()
    const { messages } = (await live('GET', one.path)).body
    expect(messages.at(-1).attachments).toMatchObject([{ filename: safe }])
    const { url, keys } = world.server
    const options = { headers: { authorization: `Bearer ${keys.live}` } }
    const download = await fetch(`${url}/v2/messages/${one.answerId}/attachments/1`, options)
    const disposition = download.headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="[ -~]{1,255}"/)
    expect(decodeURIComponent(disposition)).not.toMatch(/[/\\\p{Cc}\p{Cf}]|\.\./u)
    expect(Buffer.from(await download.arrayBuffer())).toEqual(plan)
  })

  test('is refused to a suppressed address by its field, also if it is suppressed before it is sent', async () => {
    const one = await conversation()
    await live('POST', '/v2/suppressions', { email: 'gone@colleagues.test' })
    const to = ['fine@colleagues.test', 'gone@colleagues.test']
    const { status, body } = await live('POST', `${one.path}/forward`, { messageId: one.answerId, to })
    expect([status, body.error.details.issues[0].path]).toEqual([400, 'to[1]'])
    expect((await live('GET', one.path)).body.forwards).toEqual([])
    const later = { messageId: one.answerId, to: ['later@colleagues.test'] }
    expect((await live('POST', `${one.path}/forward`, later)).status).toBe(202)
    await live('POST', '/v2/suppressions', { email: 'later@colleagues.test' })
    await work()
    expect(sentTo('later@colleagues.test')).toEqual([])
    expect((await live('GET', one.path)).body.forwards).toMatchObject([{ status: 'failed' }])
  })

  test.each([
    ['without recipients', { to: [] }, 'to'],
    ['with too many recipients', { to: Array.from({ length: 11 }, (_, at) => `a${at}@example.com`) }, 'to'],
    ['to something that is no address', { to: ['ada'] }, 'to[0]'],
    ['with an unknown field', { to: ['a@example.com'], cc: ['b@example.com'] }, 'cc'],
  ])('%s is refused', async (_, input, path) => {
    const one = await conversation()
    const { status, body } = await live('POST', `${one.path}/forward`, { messageId: one.answerId, ...input })
    expect([status, body.error.details.issues[0].path]).toEqual([400, path])
  })

  test('sends files of 16 MiB together, byte for byte, and is refused by its field one byte above', async () => {
    const most = 16 * 1024 * 1024
    const files = [
      { name: 'a.bin', content: patterned(most - 5) },
      { name: 'b.bin', content: patterned(5) },
    ]
    const one = await conversation(files)
    expect((await forward(one, 'size@colleagues.test')).status).toBe(202)
    await work()
    const sent = rawTo('size@colleagues.test')
    for (const { name, content } of files) {
      expect(sent.includes(`filename="${name}"\r\n\r\n${inLines(content)}\r\n--`)).toBe(true)
    }

    const larger = await conversation([files[0]!, { name: 'b.bin', content: patterned(6) }])
    const refused = await forward(larger, 'larger@colleagues.test')
    expect([refused.status, refused.body.error.details.issues]).toEqual([
      400,
      [{ path: 'messageId', rule: 'size', message: expect.stringContaining('16 MiB') }],
    ])
    await work()
    expect(sentTo('larger@colleagues.test')).toEqual([])
    expect((await live('GET', larger.path)).body.forwards).toEqual([])
  }, 300_000)

  test('needs a message of this conversation, and one that is not waiting', async () => {
    const [one, other] = [await conversation(), await conversation()]
    const to = ['ada@example.com']
    expect((await live('POST', `${one.path}/forward`, { messageId: other.answerId, to })).status).toBe(404)
    const foreign = { key: world.server.other.keys.live, body: { messageId: one.answerId, to } }
    expect((await world.server.call('POST', `${one.path}/forward`, foreign)).status).toBe(404)
    const reply = (await live('POST', `${one.path}/reply`, { text: 'Gladly.', delaySeconds: 60 })).body
    expect((await live('POST', `${one.path}/forward`, { messageId: reply.id, to })).status).toBe(409)
  })

  test('is deleted when the person is erased', async () => {
    const one = await conversation()
    const to = ['zoe@colleagues.test']
    await live('POST', `${one.path}/forward`, { messageId: one.answerId, to })
    const email = (await live('GET', `/v2/campaigns/${one.campaignId}/leads/${one.leadId}`)).body.email
    const { accountId, environment } = world.server.tenant
    await world.server.app.db.execute(
      `insert into people (account_id, environment, id, email, created_at, updated_at) values ($1, $2, 'per_1', $3, now(), now())`,
      [accountId, environment, email],
    )
    expect((await live('DELETE', '/v2/leads/per_1')).status).toBe(200)
    await work()
    expect(sentTo('zoe@colleagues.test')).toEqual([])
    expect(await world.server.app.db.query('select 1 from forwards')).toEqual([])
  })
})
