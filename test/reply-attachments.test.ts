import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())

// Content with every byte value, in a pattern that reveals missing or swapped pieces.
function patterned(bytes: number): Buffer {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) content.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
  return content
}

async function expectDownloads(id: string, files: readonly { content: Buffer }[]): Promise<void> {
  for (const [at, { content }] of files.entries()) {
    const path = `/v2/messages/${id}/attachments/${at + 1}`
    const { url, keys } = world.server
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${keys.live}` } })
    expect([answer.status, content.equals(Buffer.from(await answer.arrayBuffer()))]).toEqual([200, true])
  }
}

test('a reply with text, HTML and nearly ten megabytes is sent over SMTP completely, in its thread', async () => {
  const { live, server, smtp } = world
  const { app, tenant } = server
  const senderId = await insertTestSender(app.db, tenant, { port: smtp.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now() })
  await world.work()
  const [first] = await listTestMessages(app.db, tenant)
  await world.receiveAnswer({ from: 'p1@acme.test', to: first?.rfcMessageId ?? '', senderId })

  const files = [
    { filename: 'notes.txt', contentType: 'text/plain', content: Buffer.from('one\r\n.\r\n..\nFrom here\n') },
    { filename: 'page.html', contentType: 'text/html', content: Buffer.from('<p>Grüße</p>\n') },
    { filename: 'Angebot für „Ada“ – 見積書 🎉.pdf', contentType: 'application/pdf', content: patterned(10_400_000) },
  ]
  const [conversation] = (await live('GET', '/v2/conversations')).body.results
  const queued = await live('POST', `/v2/conversations/${conversation.id}/reply`, {
    text: 'Here it is.\n.\nSender',
    html: '<p>Here <b>it</b> is.</p>',
    attachments: files.map((file) => ({ ...file, content: file.content.toString('base64') })),
  })
  const listed = files.map(({ filename, contentType, content }, at) => ({
    n: at + 1,
    filename,
    contentType,
    size: content.length,
  }))
  expect(queued).toMatchObject({ status: 202, body: { status: 'queued', attachments: listed } })
  await expectDownloads(queued.body.id, files)
  await world.work()

  expect(smtp.accepted).toHaveLength(2)
  const [, reply] = smtp.accepted
  expect(reply).toMatchObject({ to: ['p1@acme.test'] })
  const mail = await PostalMime.parse(reply?.raw ?? '')
  expect(mail).toMatchObject({ inReplyTo: '<question1@acme.test>', subject: 'Re: Hello' })
  expect(mail.references).toBe(`${first?.rfcMessageId} <question1@acme.test>`)
  expect(mail.text?.trimEnd()).toBe('Here it is.\n.\nSender')
  expect(mail.html).toContain('Here <b>it</b> is.')
  expect(mail.attachments.map(({ filename, mimeType }) => ({ filename, contentType: mimeType }))).toEqual(
    files.map(({ filename, contentType }) => ({ filename, contentType })),
  )
  for (const [at, { content }] of files.entries())
    expect(content.equals(Buffer.from(mail.attachments[at]?.content as ArrayBuffer))).toBe(true)
  const whole = (await live('GET', `/v2/conversations/${conversation.id}`)).body
  expect(whole.messages.at(-1)).toMatchObject({ kind: 'manual', status: 'sent', text: 'Here it is.\n.\nSender' })
  expect(whole.messages.at(-1).attachments).toEqual(listed)
  await expectDownloads(queued.body.id, files)
  expect(await listTestLeads(app.db, tenant)).toMatchObject([{ status: 'replied' }])
})

test('a reply to a lead accepts the same attachments as a reply in its conversation', async () => {
  const { live, smtp } = world
  const [conversation] = (await live('GET', '/v2/conversations')).body.results
  const path = `/v2/campaigns/${conversation.campaignId}/leads/${conversation.leadId}/reply`
  const content = patterned(1_000)
  const queued = await live('POST', path, {
    text: 'One more.',
    attachments: [{ filename: 'more.bin', content: content.toString('base64') }],
  })
  expect(queued).toMatchObject({ status: 202, body: { status: 'queued' } })
  await world.work()
  const mail = await PostalMime.parse(smtp.accepted.at(-1)?.raw ?? '')
  expect(mail.attachments).toMatchObject([{ filename: 'more.bin', mimeType: 'application/octet-stream' }])
  expect(content.equals(Buffer.from(mail.attachments[0]?.content as ArrayBuffer))).toBe(true)
})
