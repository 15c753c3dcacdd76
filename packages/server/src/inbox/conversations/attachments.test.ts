import { randomBytes } from 'node:crypto'
import { Overture } from '@overture/sdk'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signOptOut } from '../../delivery/index.ts'
import { receiveMessage } from '../receive/receive.commands.ts'

let server: TestServer
let senderId: string
const now = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_MAIL_SECONDS_MAX: '60' } })
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const download = (path: string, key = server.keys.test) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })

interface File {
  type: string
  disposition: string
  content: Buffer
}

let uid = 0
async function receive(lead: ContactedLead, files: readonly File[], { truncated = false } = {}): Promise<string> {
  const parts = files.flatMap(({ type, disposition, content }) => [
    '--b',
    `Content-Type: ${type}`,
    `Content-Disposition: ${disposition}`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  ])
  const head = [`From: <${lead.email}>`, 'Subject: Re: Hello', `Message-ID: <in${++uid}@there.test>`]
  const raw = [
    ...head,
    `In-Reply-To: ${lead.rfcMessageId}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Here it is.',
    ...parts,
    '--b--',
  ].join('\r\n')
  const place = { sendingAccountId: senderId, folder: 'INBOX', junk: false, uid, receivedAt: now, now, truncated }
  const received = await receiveMessage(server.app, server.testTenant, { ...place, raw: Buffer.from(raw, 'latin1') })
  if (received.outcome !== 'stored') throw new Error(received.outcome)
  return received.messageId
}

const pdf = (content: Buffer): File => ({
  type: 'application/pdf',
  disposition: `attachment; filename*=UTF-8''Angebot%20f%C3%BCr%20Sie.pdf`,
  content,
})

describe('attachments of a reply', () => {
  test('are listed in thread and conversation, and downloaded byte for byte', async () => {
    const lead = await contactedLead(server, { senderId, now })
    const [offer, big] = [randomBytes(1_000), randomBytes(3_000_000)]
    const zip = { type: 'application/zip', disposition: 'attachment; filename="all.zip"', content: big }
    const id = await receive(lead, [pdf(offer), zip])
    const listed = [
      { n: 1, filename: 'Angebot für Sie.pdf', contentType: 'application/pdf', size: 1_000 },
      { n: 2, filename: 'all.zip', contentType: 'application/zip', size: 3_000_000 },
    ]
    const thread = await call('GET', `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/thread`)
    expect(thread.body.messages).toMatchObject([{ attachments: [] }, { id, attachments: listed }])
    const [conversation] = (await call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)).body.results
    const whole = await call('GET', `/v2/conversations/${conversation.id}`)
    expect(whole.body.messages.at(-1)).toMatchObject({ id, text: 'Here it is.', attachments: listed })

    const first = await download(`/v2/messages/${id}/attachments/1`)
    expect(first.status).toBe(200)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '1000',
      'content-disposition': `attachment; filename="Angebot fur Sie.pdf"; filename*=UTF-8''Angebot%20f%C3%BCr%20Sie.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(offer.equals(Buffer.from(await first.arrayBuffer()))).toBe(true)
    const client = new Overture({ apiKey: server.keys.test, baseUrl: server.url })
    expect(big.equals(await client.messages.attachment(id, '2'))).toBe(true)
  })

  test.each([
    ['an enclosed message', 'message/rfc822', 'mail.eml', '=\r\n'],
    ['a calendar', 'text/calendar', 'invite.ics', '\r\n '],
    ['a page', 'text/html', 'page.html', ''],
  ])('that are %s with our link are downloaded without its token', async (_, type, name, lineBreak) => {
    const lead = await contactedLead(server, { senderId, now })
    const token = signOptOut(server.app.secrets, { ...server.testTenant, ...lead })
    const broken = token.replaceAll(/.{20}/g, `$&${lineBreak}`)
    const content = Buffer.from(`Subject: Ours\r\n\r\nRead <https://mail.test/u/${broken}> or not.`)
    const id = await receive(lead, [{ type, disposition: `attachment; filename="${name}"`, content }])
    const answer = await download(`/v2/messages/${id}/attachments/1`)
    const text = await answer.text()
    expect(text).toContain('Read <https://mail.test/u/hidden> or not.')
    expect(text).not.toContain(token.slice(-16))
  })

  test.each([
    ['a page', 'text/html', 'page.html'],
    ['a picture that can hold a script', 'image/svg+xml', 'a.svg'],
    ['a script', 'text/javascript', 'a.js'],
    ['an XML page', 'application/xhtml+xml', 'a.xhtml'],
    ['an invalid type', 'text/html, text/plain', 'a.txt'],
    ['a program', 'application/x-msdownload', 'a.exe'],
  ])('that are %s are never rendered by a browser', async (_, type, name) => {
    const lead = await contactedLead(server, { senderId, now })
    const content = Buffer.from('<script>alert(1)</script>')
    const id = await receive(lead, [{ type, disposition: `attachment; filename="${name}"`, content }])
    const answer = await download(`/v2/messages/${id}/attachments/1`)
    expect([answer.status, await answer.text()]).toEqual([200, content.toString()])
    const contentType = answer.headers.get('content-type')
    expect(['application/octet-stream', 'text/plain']).toContain(contentType)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('of other accounts, environments or numbers return the same 404', async () => {
    const lead = await contactedLead(server, { senderId, now })
    const id = await receive(lead, [pdf(Buffer.from('x'))])
    const withoutId = (text: string) => text.replace(/req_\w+/, '')
    const missing = await download('/v2/messages/msg_nothing/attachments/1')
    expect(missing.status).toBe(404)
    const text = withoutId(await missing.text())
    for (const key of [server.other.keys.test, server.keys.live]) {
      const answer = await download(`/v2/messages/${id}/attachments/1`, key)
      expect([answer.status, withoutId(await answer.text())]).toEqual([404, text])
    }
    for (const n of ['0', '2', '-1', '1.0', '01', '1e0', 'one', '9'.repeat(30), '%00', ' 1']) {
      const answer = await download(`/v2/messages/${id}/attachments/${n}`)
      expect([n, answer.status, withoutId(await answer.text())]).toEqual([n, 404, text])
    }
  })

  test("that were cut have no size and can't be downloaded; earlier ones can", async () => {
    const lead = await contactedLead(server, { senderId, now })
    const id = await receive(lead, [pdf(Buffer.from('whole')), pdf(Buffer.from('cut'))], { truncated: true })
    const { body } = await call('GET', `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/thread`)
    expect(body.messages.at(-1).attachments).toMatchObject([
      { n: 1, size: 5 },
      { n: 2, size: null },
    ])
    expect(await (await download(`/v2/messages/${id}/attachments/1`)).text()).toBe('whole')
    const refused = await call('GET', `/v2/messages/${id}/attachments/2`)
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { currentStatus: 'not_kept' } } } })
  })

  test('are deleted with the person', async () => {
    const lead = await contactedLead(server, { senderId, now })
    const id = await receive(lead, [pdf(Buffer.from('a secret of theirs'))])
    const [person] = (await call('GET', `/v2/leads?email=${lead.email}`)).body.results
    expect((await call('DELETE', `/v2/leads/${person.id}`)).status).toBe(200)
    expect((await download(`/v2/messages/${id}/attachments/1`)).status).toBe(404)
    const left = await server.app.db.query(
      `select 1 from message_contents where message_id = $1 union all select 1 from message_heads where id = $1`,
      [id],
    )
    expect(left).toEqual([])
  })

  test('can be downloaded at the same time, each with its own content', async () => {
    const lead = await contactedLead(server, { senderId, now })
    const contents = Array.from({ length: 12 }, () => randomBytes(400_000))
    const id = await receive(lead, contents.map(pdf))
    const answers = await Promise.all(
      contents.map((_, at) => download(`/v2/messages/${id}/attachments/${at + 1}`).then((one) => one.arrayBuffer())),
    )
    for (const [at, content] of contents.entries()) expect(content.equals(Buffer.from(answers[at]!))).toBe(true)
  })
})
