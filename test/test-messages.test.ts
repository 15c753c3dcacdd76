import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { createSmtpTransport, deliverClaimed, noFaults, runPlanning } from '../packages/server/src/delivery/index.ts'
import { createSmtpPool, type SmtpPool } from '../packages/server/src/platform/mail/smtp-pool.client.ts'

const hourMs = 3_600_000
let server: TestServer
let double: SmtpDouble
let pool: SmtpPool
beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  double = await startSmtpDouble()
  pool = createSmtpPool()
})
afterAll(async () => {
  await pool?.close()
  await double?.stop()
  await server?.stop()
})

const live = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(method, path, { key: server.keys.live, body, headers })

async function work(now = server.app.clock.now()): Promise<void> {
  const { app, tenant } = server
  const transport = createSmtpTransport({ app, pool, faultsArmed: false })
  const tools = { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
  const { token } = await runPlanning(tools, tenant, now)
  await deliverClaimed(tools, tenant, { now, token })
}

let prefixes = 0
/** Creates a campaign with one lead that is due in an hour. */
async function campaignOf(settings: object = {}, tenant = server.tenant) {
  const prefix = `q${++prefixes}x`
  const own = `own${prefixes}@sender.test`
  const { db, clock } = server.app
  const sender = await insertTestSender(db, tenant, { port: double.port, email: own })
  const campaign = await insertTestCampaign(db, tenant, { senderIds: [sender], settings })
  const dueAt = new Date(clock.now().getTime() + hourMs)
  await insertTestLeads(db, tenant, { campaignId: campaign.id, count: 1, dueAt, prefix })
  const lead = { id: `led_${prefix}00000001`, email: `${prefix}1@acme.test` }
  const path = `/v2/campaigns/${campaign.id}`
  return { path, own, lead, stepIds: campaign.stepIds, body: { leadId: lead.id, stepId: campaign.stepIds[0], to: own } }
}
const mailTo = (address: string) => double.accepted.filter(({ to }) => to.includes(address))
const read = async (address: string) => PostalMime.parse(mailTo(address)[0]!.raw)

test('is exactly what the lead will get, and changes nothing about the lead', async () => {
  const { path, own, lead, body } = await campaignOf({ openTracking: true, linkTracking: true })
  const before = (await live('GET', `${path}/leads/${lead.id}`)).body
  const preview = (await live('POST', `${path}/preview`, { leadId: lead.id, stepId: body.stepId })).body
  const answer = await live('POST', `${path}/test-message`, body)
  expect([answer.status, answer.body]).toEqual([
    202,
    expect.objectContaining({ to: own, subject: preview.subject, status: 'queued', variantId: preview.variantId }),
  ])
  await work()
  const mail = await read(own)
  expect(mail.subject).toBe(preview.subject)
  const withoutLink = (text: string) => text.replaceAll(/https?:\S+/g, '')
  expect(withoutLink(mail.text ?? '').trim()).toBe(withoutLink(preview.text).trim())
  const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
  expect(headers['list-unsubscribe']).toContain('/u/test>')
  const raw = mailTo(own)[0]!.raw.toString()
  expect(raw).not.toMatch(/https?:\/\/[^/\s]+\/[oc]\//)
  expect((await server.call('GET', '/u/test')).status).not.toBe(200)

  expect((await live('GET', `${path}/leads/${lead.id}`)).body).toEqual(before)
  expect((await live('GET', `${path}/leads/${lead.id}/thread`)).body.messages).toEqual([])
  expect((await live('GET', `${path}/stats`)).body).toMatchObject({ sent: 0, contacted: 0, delivered: 0 })
  expect((await live('GET', `${path}/activity`)).body.results).toEqual([])
  const list = await live('GET', `${path}/test-messages`)
  expect(list.body.results).toMatchObject([{ id: answer.body.id, status: 'sent', to: own }])

  await work(new Date(server.app.clock.now().getTime() + hourMs))
  expect([mailTo(lead.email).length, mailTo(own).length]).toEqual([1, 1])
})

test('has no opt-out address that names the lead', async () => {
  const { path, own, body } = await campaignOf()
  const { db } = server.app
  await db.execute(
    `update sending_accounts set smtp = jsonb_set(smtp, '{host}', '"smtp.gmail.com"') where email = $1`,
    [own],
  )
  const { id } = (await live('POST', `${path}/test-message`, body)).body
  const [content] = await db.query<{ raw: Buffer }>('select raw from message_contents where message_id = $1', [id])
  await db.execute(`update message_heads set status = 'failed', attempt_at = null where id = $1`, [id])
  const links = /^List-Unsubscribe: (.*(?:\r\n .*)*)/m.exec(content!.raw.toString())?.[1]
  expect(links?.replaceAll(/\s/g, '')).toMatch(`/u/test>,<mailto:${own}?subject=unsubscribe%20test>`)
})

test('can be sent only to users and senders of the account', async () => {
  const { path, lead, body } = await campaignOf()
  const foreign = await campaignOf({}, server.other.tenant)
  const person = await createTestPerson(server)
  const stranger = await createTestPerson(server, { accountId: server.other.tenant.accountId })
  for (const to of [lead.email, 'unknown@example.com', stranger.email, foreign.own]) {
    const answer = await live('POST', `${path}/test-message`, { ...body, to })
    expect([to, answer.status]).toEqual([to, 400])
    expect(answer.body.error.details.issues).toMatchObject([{ path: 'to', rule: 'own_address' }])
  }
  const answer = await live('POST', `${path}/test-message`, { ...body, to: person.email.toUpperCase() })
  expect(answer.status, answer.text).toBe(202)
  const leaver = await createTestPerson(server)
  await server.app.db.execute(`update users set status = 'disabled' where id = $1`, [leaver.id])
  expect((await live('POST', `${path}/test-message`, { ...body, to: leaver.email })).status).toBe(400)
  await work()
  expect(double.accepted.flatMap(({ to }) => to)).not.toContain('unknown@example.com')
})

test('for unknown or foreign ids is refused like a preview', async () => {
  const { path, body } = await campaignOf()
  const other = await campaignOf()
  const send = (changes: object) => live('POST', `${path}/test-message`, { ...body, ...changes })
  expect((await send({ leadId: other.lead.id })).status).toBe(404)
  expect((await send({ stepId: other.stepIds[0] })).status).toBe(404)
  expect((await send({ variantId: 'var_none' })).status).toBe(404)
  expect((await server.call('POST', `${path}/test-message`, { key: server.other.keys.live, body })).status).toBe(404)
  expect((await server.call('GET', `${path}/test-messages`, { key: server.other.keys.live })).status).toBe(404)
  expect((await server.call('POST', `${path}/test-message`, { key: server.keys.liveRead, body })).status).toBe(403)
  await server.app.db.execute(`update lead_profiles set first_name = null where id = $1`, [body.leadId])
  const missing = await send({})
  expect([missing.status, missing.body.error.details.blockers[0].code]).toEqual([409, 'missing_variable'])
})

test('is sent once per idempotency key', async () => {
  const { path, own, body } = await campaignOf()
  const headers = { 'idempotency-key': 'one-test' }
  const both = [
    await live('POST', `${path}/test-message`, body, headers),
    await live('POST', `${path}/test-message`, body, headers),
  ]
  expect(both[1]!.body).toEqual(both[0]!.body)
  await work()
  expect(mailTo(own)).toHaveLength(1)
})

test("that bounces doesn't affect the lead or its address", async () => {
  const { path, own, lead, body } = await campaignOf()
  double.faults = [{ stage: 'rcpt', action: { code: 550, text: '5.1.1 No such user' }, times: 1, only: own }]
  await live('POST', `${path}/test-message`, body)
  await work()
  expect((await live('GET', `${path}/test-messages`)).body.results).toMatchObject([{ status: 'bounced' }])
  expect((await live('GET', `${path}/leads/${lead.id}`)).body).toMatchObject({ status: 'pending' })
  expect((await live('GET', '/v2/suppressions')).body.results).toEqual([])
  await work(new Date(server.app.clock.now().getTime() + hourMs))
  expect(mailTo(lead.email)).toHaveLength(1)
})

test('is deleted completely when its lead is erased', async () => {
  const { path, body } = await campaignOf()
  const lead = { email: 'erased@acme.test', firstName: 'Erin' }
  const { leadId } = (await live('POST', `${path}/leads`, { leads: [lead] })).body.results[0]
  const { id } = (await live('POST', `${path}/test-message`, { ...body, leadId })).body
  await work()
  const kept = () => server.app.db.query('select message_id from message_contents where message_id = $1', [id])
  expect(await kept()).toHaveLength(1)
  const [person] = (await live('GET', `/v2/leads?q=${lead.email}`)).body.results
  expect((await live('DELETE', `/v2/leads/${person.id}`)).status).toBe(200)
  expect(await kept()).toEqual([])
  expect((await live('GET', `${path}/test-messages`)).body.results).toEqual([])
})

test('is limited to twenty per hour, also for simultaneous requests, with Retry-After', async () => {
  const { path, body } = await campaignOf()
  await server.app.db.execute('delete from test_messages')
  const answers = await Promise.all(Array.from({ length: 24 }, () => live('POST', `${path}/test-message`, body)))
  const refused = answers.filter(({ status }) => status === 429)
  expect([answers.filter(({ status }) => status === 202).length, refused.length]).toEqual([20, 4])
  const waitSeconds = Number(refused[0]!.headers.get('retry-after'))
  expect(waitSeconds).toBeGreaterThan(3_000)
  expect(waitSeconds).toBeLessThanOrEqual(3_600)
  await server.app.db.execute(`update test_messages set asked_at = asked_at - interval '61 minutes'`)
  expect((await live('POST', `${path}/test-message`, body)).status).toBe(202)
})
