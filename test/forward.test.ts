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
const file = Buffer.from('The plan: %PDF-nothing').toString('base64')

interface Conversation {
  path: string
  campaignId: string
  leadId: string
  answerId: string
}

let answers = 0

/** A lead that got a message with an opt-out link, and answered with that link in its quote, and with a file. */
async function conversation(files: readonly string[] = ['plan.pdf']): Promise<Conversation & { link: string }> {
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
    (name) =>
      `--b\r\nContent-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${file}\r\n`,
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

  test('has files with cleaned names', async () => {
    const one = await conversation(['..\\..\\run me.exe', '../../etc/passwd'])
    const body = { messageId: one.answerId, to: ['eve@colleagues.test'] }
    expect((await live('POST', `${one.path}/forward`, body)).status).toBe(202)
    await work()
    const [mail] = sentTo('eve@colleagues.test')
    expect(mail).toContain('passwd')
    expect(mail).not.toMatch(/filename\*?=[^\r\n]*(?:\.\.|%2F|%5C|\/)/i)
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

  test('takes files up to 16 MiB together, and is refused by its field above', async () => {
    const one = await conversation(['a.bin', 'b.bin'])
    const { db } = world.server.app
    const resize = (sizes: readonly number[]) =>
      db.execute(
        `update message_heads set attachments = jsonb_build_array(attachments->0 || jsonb_build_object('size', ${sizes[0]}),
           attachments->1 || jsonb_build_object('size', ${sizes[1]})) where id = '${one.answerId}'`,
      )
    const half = 8 * 1024 * 1024
    const forward = () => live('POST', `${one.path}/forward`, { messageId: one.answerId, to: ['size@colleagues.test'] })
    await resize([half, half + 1])
    const refused = await forward()
    expect([refused.status, refused.body.error.details.issues]).toEqual([
      400,
      [{ path: 'messageId', rule: 'size', message: expect.stringContaining('16 MiB') }],
    ])
    await resize([half, half])
    expect((await forward()).status).toBe(202)
  })

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
