import { campaignJobs } from './campaigns.jobs.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

test('a copy is a draft with the same settings, its own ids and no leads', async () => {
  const sender = { email: 'sender@example.com', fromName: 'Grace', provider: 'sandbox' }
  const senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  const steps = [
    {
      variants: [
        { subject: 'A', body: 'a' },
        { subject: 'B', body: 'b', weight: 3, enabled: false },
      ],
    },
    { waitBefore: { value: 2, unit: 'business_days' }, variants: [{ body: 'again' }] },
  ]
  const schedule = { startDate: '2020-01-01', endDate: '2099-12-31', timezone: 'Asia/Tokyo' }
  const settings = { dailyLimit: 7, stopOnReply: false }
  const input = { name: 'n'.repeat(200), steps, schedule, settings, sendingAccountIds: [senderId] }
  const made = await call('POST', '/v2/campaigns', input)
  expect(made.status).toBe(201)
  const original = made.body
  await call('POST', `/v2/campaigns/${original.id}/leads`, { leads: [{ email: 'a@prospects.test' }] })
  const copy = await call('POST', `/v2/campaigns/${original.id}/copy`, {})
  expect(copy.status).toBe(201)
  const { id, name, leadCount, status, schedule: copied } = copy.body
  expect([leadCount, status, name.length, name.endsWith('(copy)')]).toEqual([0, 'draft', 200, true])
  expect(copied).toEqual({ ...original.schedule, startDate: null })
  expect(copy.body.settings).toEqual(original.settings)
  expect(copy.body.sendingAccountIds).toEqual([senderId])
  const withoutIds = (list: { variants: object[] }[]) =>
    list.map((step) => ({ ...step, id: null, variants: step.variants.map((variant) => ({ ...variant, id: null })) }))
  expect(withoutIds(copy.body.steps)).toEqual(withoutIds(original.steps))
  const idsOf = (one: { steps: { id: string; variants: { id: string }[] }[] }) =>
    one.steps.flatMap((step) => [step.id, ...step.variants.map((variant) => variant.id)])
  expect(idsOf(copy.body).filter((one) => idsOf(original).includes(one))).toEqual([])

  const named = await call('POST', `/v2/campaigns/${id}/copy`, { name: 'Autumn' })
  expect([named.status, named.body.name]).toEqual([201, 'Autumn'])
  expect((await call('GET', `/v2/campaigns/${original.id}`)).body).toMatchObject({
    leadCount: 1,
    steps: original.steps,
  })
  expect((await call('POST', `/v2/campaigns/${original.id}/copy`, {}, server.other.keys.test)).status).toBe(404)
})

test('leads are copied like an import, each once, even if the job runs again', async () => {
  const made = (await call('POST', '/v2/campaigns', { name: 'Many' })).body
  const path = `/v2/campaigns/${made.id}`
  const count = 2_300
  const leads = Array.from({ length: count }, (_none, index) => ({
    email: `Lead${index}@acme.test`,
    firstName: `Person ${index}`,
    company: 'Acme',
    timezone: 'Europe/Berlin',
    customVariables: { number: index, vip: index % 2 === 0 },
  }))
  for (let at = 0; at < count; at += 1_000) await call('POST', `${path}/leads`, { leads: leads.slice(at, at + 1_000) })
  const all = (await call('GET', path)).body
  expect(all.leadCount).toBe(count)
  const { db } = server.app
  await db.execute(
    `update lead_progress set status = 'replied', current_step = 1, sending_account_id = 'snd_1', last_contacted_at = now()
     where campaign_id = $1`,
    [made.id],
  )
  await db.execute('update lead_profiles set reply_count = 1, open_count = 2 where campaign_id = $1', [made.id])
  for (const email of ['lead7@acme.test', 'lead1500@acme.test']) await call('POST', '/v2/suppressions', { email })

  const begun = await call('POST', `${path}/copy`, { withLeads: true })
  expect([begun.status, begun.body.leadCount]).toEqual([201, 999])
  await call('POST', `${path}/leads`, { leads: [{ email: 'later@acme.test' }] })
  const [job] = await db.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where kind = 'campaigns.copy_leads'`,
  )
  const handler = campaignJobs().find(({ kind }) => kind === 'campaigns.copy_leads')!
  const context = {
    app: { ...server.app, db: db.within(server.tenant.accountId) },
    tenant: server.testTenant,
    now: server.app.clock.now(),
    attempt: 1,
    signal: new AbortController().signal,
  }
  await handler.run(context, job!.payload)
  await handler.run(context, job!.payload)
  const copy = `/v2/campaigns/${begun.body.id}`
  expect((await call('GET', copy)).body).toMatchObject({ status: 'draft', leadCount: count - 2 })
  const rows = await db.query<{ email: string; status: string; currentStep: number; replyCount: number }>(
    `select email, status, current_step, reply_count from leads where campaign_id = $1`,
    [begun.body.id],
  )
  expect(new Set(rows.map(({ email }) => email)).size).toBe(count - 2)
  const taken = rows.map(({ email }) => email)
  for (const email of ['lead7@acme.test', 'lead1500@acme.test', 'later@acme.test']) expect(taken).not.toContain(email)
  expect(rows.filter((row) => row.status !== 'pending' || row.currentStep > 0 || row.replyCount > 0)).toEqual([])
  const [lead] = (await call('GET', `${copy}/leads?q=lead2222@acme.test`)).body.results
  expect(lead).toMatchObject({ ...leads[2_222], email: 'lead2222@acme.test', sendingAccountId: null, openCount: 0 })
  const [original] = (await call('GET', `${path}/leads?q=lead2222@acme.test`)).body.results
  expect(original).toMatchObject({ status: 'replied', replyCount: 1 })
  expect(original.id).not.toBe(lead.id)
})

test('a copy deleted during the copying receives no more leads', async () => {
  const leads = Array.from({ length: 1_000 }, (_none, index) => ({ email: `gone${index}@acme.test` }))
  const made = (await call('POST', '/v2/campaigns', { name: 'Gone' })).body
  await call('POST', `/v2/campaigns/${made.id}/leads`, { leads })
  await call('POST', `/v2/campaigns/${made.id}/leads`, { leads: [{ email: 'gone-last@acme.test' }] })
  const { id } = (await call('POST', `/v2/campaigns/${made.id}/copy`, { withLeads: true })).body
  const { db } = server.app
  const [job] = await db.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where kind = 'campaigns.copy_leads' and payload->>'toId' = $1`,
    [id],
  )
  expect((await call('DELETE', `/v2/campaigns/${id}`)).status).toBe(200)
  const handler = campaignJobs().find(({ kind }) => kind === 'campaigns.copy_leads')!
  const context = {
    app: { ...server.app, db: db.within(server.tenant.accountId) },
    tenant: server.testTenant,
    now: server.app.clock.now(),
    attempt: 1,
    signal: new AbortController().signal,
  }
  await handler.run(context, job!.payload)
  const rows = await db.query('select id from leads where campaign_id = $1', [id])
  expect(rows).toHaveLength(1_000)
})
