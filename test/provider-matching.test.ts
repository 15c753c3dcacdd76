import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recipientProvidersJob } from '@overture/server/deliverability/index.ts'
import { runPlanning } from '@overture/server/delivery/plan/plan-tenant.shell.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Deliverability". */
let server: TestServer
let dns: DnsDouble
const senders: Record<string, string> = {}
beforeAll(async () => {
  dns = await startDnsDouble({
    MX: {
      'workspace.test': ['1 smtp.google.com'],
      'office.test': ['10 office-test.mail.protection.outlook.com', '20 aspmx.l.google.com'],
      'filtered.test': ['5 mxa.gslb.pphosted.com'],
      'own.test': ['5 mx.own.test'],
    },
  })
  server = await startWholeServer({
    environment: { OVERTURE_DNS_SERVERS: dns.server, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  for (const name of ['google', 'microsoft']) {
    const gaps = { minGapSeconds: 60, maxGapSeconds: 60 }
    const sender = { email: `ada@${name}.senders.test`, provider: 'sandbox', dailyLimit: 2, ...gaps }
    senders[name] = (await ask('POST', '/v2/sending-accounts', sender)).id
  }
})
afterAll(async () => {
  await server.stop()
  await dns.stop()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const always = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }]

async function launch(providerMatching: string, emails: readonly string[], from = Object.values(senders)) {
  const launched = await ask('POST', '/v2/campaigns/launch', {
    name: providerMatching,
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
    schedule: { timezone: 'UTC', windows: always },
    sendingAccountIds: from,
    settings: { providerMatching, openTracking: false },
    leads: emails.map((email) => ({ email })),
  })
  return launched.id as string
}

interface ListedLead {
  id: string
  email: string
  sendingAccountId: string | null
  recipientProvider: string | null
  blockedReason: string | null
}

async function leadsOf(id: string): Promise<ListedLead[]> {
  return (await ask('GET', `/v2/campaigns/${id}/leads?limit=100`)).results
}

/** The names of the senders by address. */
async function sentFrom(id: string): Promise<Record<string, string>> {
  const names = new Map(Object.entries(senders).map(([name, senderId]) => [senderId, name]))
  const leads = await leadsOf(id)
  return Object.fromEntries(
    leads.flatMap(({ email, sendingAccountId }) =>
      sendingAccountId === null ? [] : [[email, names.get(sendingAccountId) ?? '?']],
    ),
  )
}

describe('in the test environment', () => {
  test('strict sends from the provider of each recipient, and the forecast says when', async () => {
    const google = ['a', 'b', 'c'].map((name) => `${name}@google.prospects.test`)
    const id = await launch('strict', [...google, 'd@hotmail.com', 'e@prospects.test'])
    const { days } = await ask('GET', `/v2/campaigns/${id}/forecast`)
    expect(days.map((day: { first: number }) => day.first)).toEqual([4, 1])
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    const first = await sentFrom(id)
    expect(Object.keys(first)).toHaveLength(4)
    expect(first).toMatchObject({ 'a@google.prospects.test': 'google', 'd@hotmail.com': 'microsoft' })
    const held = (await leadsOf(id)).filter(({ blockedReason }) => blockedReason === 'provider_mismatch')
    expect(held).toHaveLength(1)
    const explained = await ask('GET', `/v2/campaigns/${id}/leads/${held[0]!.id}/explain`)
    expect(explained.blockedReason).toBe('provider_mismatch')
    expect(explained.gates.find(({ gate }: { gate: string }) => gate === 'provider_mismatch')).toMatchObject({
      passed: false,
      detail: expect.stringContaining('No sending account at google can send today'),
    })
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
    const all = await sentFrom(id)
    expect(google.map((email) => all[email])).toEqual(['google', 'google', 'google'])
    const providers = (await leadsOf(id)).map((lead) => lead.recipientProvider ?? '')
    expect(providers.toSorted()).toEqual(['google', 'google', 'google', 'microsoft', 'other'])
  })

  test('prefer sends from another provider once the matching one has reached its limit', async () => {
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
    const id = await launch(
      'prefer',
      ['a', 'b', 'c'].map((name) => `${name}@microsoft.prospects.test`),
    )
    await ask('POST', '/v2/sandbox/clock/advance', { by: '2h' })
    expect(Object.values(await sentFrom(id)).toSorted()).toEqual(['google', 'microsoft', 'microsoft'])
  })

  test('strict without a sender at the provider waits until one is added', async () => {
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
    const id = await launch('strict', ['a@google.prospects.test'], [senders['microsoft']!])
    await ask('POST', '/v2/sandbox/clock/advance', { by: '2d' })
    expect(await sentFrom(id)).toEqual({})
    const { recipients } = await ask('GET', `/v2/campaigns/${id}/preflight`)
    expect(recipients.leftOut).toMatchObject([{ reason: 'provider_mismatch', count: 1 }])
    await ask('POST', `/v2/campaigns/${id}/pause`)
    await ask('PUT', `/v2/campaigns/${id}`, { sendingAccountIds: Object.values(senders) })
    await ask('POST', `/v2/campaigns/${id}/resume`)
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    expect(await sentFrom(id)).toEqual({ 'a@google.prospects.test': 'google' })
  })

  test('strict that is switched off sends at once from any sender', async () => {
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })
    const id = await launch('strict', ['a@yahoo.com'])
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    expect((await leadsOf(id))[0]).toMatchObject({ blockedReason: 'provider_mismatch', recipientProvider: 'yahoo' })
    await ask('PUT', `/v2/campaigns/${id}`, { settings: { providerMatching: 'off' } })
    await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
    expect(Object.keys(await sentFrom(id))).toEqual(['a@yahoo.com'])
  })

  test('an unknown setting is refused by name', async () => {
    const body = { name: 'x', settings: { providerMatching: 'sometimes' } }
    const { status, body: answer } = await server.call('POST', '/v2/campaigns', { key: server.keys.test, body })
    expect([status, answer.error.details.issues[0].path]).toEqual([400, 'settings.providerMatching'])
  })
})

test('in live, a lead waits for the name servers, and is then sent from its provider', async () => {
  const { app } = server
  const { db } = app
  const now = new Date('2026-03-02T10:00:00.000Z')
  const tenant = await insertTestAccount(db)
  const [google, other] = [
    await insertTestSender(db, tenant, { port: 1 }),
    await insertTestSender(db, tenant, { port: 1 }),
  ]
  await db.execute(`update sending_accounts set smtp = jsonb_set(smtp, '{host}', '"smtp.gmail.com"') where id = $1`, [
    google,
  ])
  const campaign = await insertTestCampaign(db, tenant, { senderIds: [google, other] })
  await db.execute(
    `update campaigns set settings = settings || '{"providerMatching": "strict"}' where account_id = $1`,
    [tenant.accountId],
  )
  await insertTestLeads(db, tenant, { campaignId: campaign.id, count: 4, dueAt: now })
  const domains = ['workspace.test', 'office.test', 'filtered.test', 'silent.test']
  await db.execute(
    `update lead_profiles l set email_domain = d.domain, email = 'ada@' || d.domain
     from (select id, row_number() over (order by id) as n from lead_profiles where account_id = $1) o,
       unnest($2::text[]) with ordinality as d (domain, n)
     where l.account_id = $1 and l.id = o.id and d.n = o.n`,
    [tenant.accountId, domains],
  )
  const tools = { app, renderer: testRenderer }
  const first = await runPlanning(tools, tenant, now)
  expect(first).toMatchObject({ claimed: 0, nextPlanAt: new Date(now.getTime() + 60_000) })
  await runDueJobs(app, tenant, now, [recipientProvidersJob])
  const stored = await db.query<{ domain: string; provider: string }>(
    `select domain, provider from recipient_domains where account_id = $1 order by domain`,
    [tenant.accountId],
  )
  expect(stored).toEqual([
    { domain: 'filtered.test', provider: 'gateway' },
    { domain: 'office.test', provider: 'microsoft' },
    { domain: 'silent.test', provider: 'unknown' },
    { domain: 'workspace.test', provider: 'google' },
  ])
  await runPlanning(tools, tenant, new Date(now.getTime() + 60_000))
  const sent = await db.query<{ domain: string; sender: string }>(
    `select l.email_domain as domain, m.sending_account_id as sender from claims m
     join lead_profiles l on l.account_id = m.account_id and l.id = m.lead_id
     where m.account_id = $1 order by l.email_domain`,
    [tenant.accountId],
  )
  expect(sent.map(({ domain }) => domain)).toEqual(['filtered.test', 'silent.test', 'workspace.test'])
  expect(sent.at(-1)?.sender).toBe(google)
  const [held] = await db.query<{ blockedReason: string }>(
    `select blocked_reason from lead_progress p join lead_profiles l on l.account_id = $1 and l.id = p.lead_id
     where p.account_id = $1 and l.email_domain = 'office.test'`,
    [tenant.accountId],
  )
  expect(held?.blockedReason).toBe('provider_mismatch')
})
