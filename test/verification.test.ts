import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Overture } from '@overture/sdk'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { verificationTools } from '@overture/server/composition/slice-wiring.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { suppress } from '@overture/server/suppressions/index.ts'
import { verificationJobs } from '@overture/server/verification/index.ts'

let server: TestServer
let dns: DnsDouble
beforeAll(async () => {
  dns = await startDnsDouble({
    MX: {
      'mail.test': ['10 mx.mail.test'],
      'null.test': ['0 .'],
      'gmail.com': ['5 mx.google.test'],
      'mailinator.com': ['10 mx.mailinator.test'],
      'gmeil.com': ['10 mx.gmeil.test'],
      'xn--bcher-kva.test': ['10 mx.mail.test'],
    },
    A: { 'a-only.test': ['192.0.2.1'] },
    AAAA: { 'six-only.test': ['2001:db8::1'] },
    TXT: { 'text-only.test': ['no mail'] },
  })
  server = await startWholeServer({ environment: { OVERTURE_DNS_SERVERS: dns.server } })
})
afterAll(async () => {
  await server.stop()
  await dns.stop()
})

type Environment = Tenant['environment']

const ask = async (environment: Environment, method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys[environment], body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

async function runJobs(environment: Environment, laterMs = 0): Promise<void> {
  const tenant = environment === 'live' ? server.tenant : server.testTenant
  const now = await server.app.clocks.now(server.app.db, tenant)
  await runDueJobs(server.app, tenant, new Date(now.getTime() + laterMs), verificationJobs(verificationTools))
}

async function verify(environment: Environment, emails: string[]) {
  const { id } = await ask(environment, 'POST', '/v2/verifications', { emails })
  await runJobs(environment)
  return { id, ...(await readResults(environment, id)) }
}

async function readResults(environment: Environment, id: string) {
  const verification = await ask(environment, 'GET', `/v2/verifications/${id}`)
  const { results } = await ask(environment, 'GET', `/v2/verifications/${id}/results?limit=100`)
  type Result = { email: string; result: string | null; reasons: string[]; source: string; suggestion: string | null }
  const byEmail = new Map((results as Result[]).map((result) => [result.email, result]))
  const short = Object.fromEntries([...byEmail].map(([email, { result, reasons }]) => [email, [result, ...reasons]]))
  return { verification, byEmail, short }
}

describe('a verification by rules', () => {
  test('uses the syntax, the name servers and the lists', async () => {
    const { short, byEmail, verification } = await verify('live', [
      'Ada@Mail.test',
      'ada@mail.test ',
      'not an address',
      'ada@null.test',
      'ada@absent.test',
      'ada@text-only.test',
      'ada@a-only.test',
      'ada@six-only.test',
      'ada@gmail.com',
      'ada@gmeil.com',
      'ada@mailinator.com',
      'info@mail.test',
      'ada@bücher.test',
    ])
    expect(short).toEqual({
      'ada@mail.test': ['unknown'],
      'not an address': ['undeliverable', 'syntax'],
      'ada@null.test': ['undeliverable', 'null_mx'],
      'ada@absent.test': ['undeliverable', 'no_mx'],
      'ada@text-only.test': ['undeliverable', 'no_mx'],
      'ada@a-only.test': ['unknown'],
      'ada@six-only.test': ['unknown'],
      'ada@gmail.com': ['unknown', 'free_mail'],
      'ada@gmeil.com': ['risky', 'typo'],
      'ada@mailinator.com': ['risky', 'disposable'],
      'info@mail.test': ['unknown', 'role'],
      'ada@xn--bcher-kva.test': ['unknown'],
    })
    expect(byEmail.get('ada@gmeil.com')).toMatchObject({ suggestion: 'ada@gmail.com', source: 'rules' })
    const counts = { total: 12, deliverable: 0, risky: 2, undeliverable: 4, unknown: 6, creditsCharged: 0 }
    expect(verification).toMatchObject({ status: 'completed', ...counts })
  })

  test('logs one event with the counts', async () => {
    const { id } = await verify('live', ['ada@mail.test', 'ada@absent.test'])
    await runJobs('live')
    const { results } = await ask('live', 'GET', '/v2/events?type=verification.completed&order=desc&limit=100')
    const ours = results.filter((one: { data: { verificationId: string } }) => one.data.verificationId === id)
    expect(ours.map((one: { data: object }) => one.data)).toMatchObject([{ total: 2, undeliverable: 1, unknown: 1 }])
  })

  test('looks up each domain once', async () => {
    dns.records.MX!['once.test'] = ['10 mx.mail.test']
    await verify('live', ['a@once.test', 'b@once.test', 'c@once.test'])
    expect(dns.asked.filter((name) => name === 'once.test')).toHaveLength(1)
  })

  test('tries again after a minute if no name server replied', async () => {
    dns.failing = true
    const { id, verification, short } = await verify('live', ['ada@later.test'])
    expect(verification).toMatchObject({ status: 'running', total: 1, unknown: 0 })
    expect(short).toEqual({ 'ada@later.test': [null] })
    dns.failing = false
    dns.records.MX!['later.test'] = ['0 .']
    await runJobs('live', 61_000)
    const { verification: then, short: found } = await readResults('live', id)
    expect(found).toEqual({ 'ada@later.test': ['undeliverable', 'null_mx'] })
    expect(then).toMatchObject({ status: 'completed', undeliverable: 1 })
  })

  test('is unknown after four tries without a reply', async () => {
    dns.failing = true
    const { id } = await verify('live', ['ada@never.test'])
    const tries: unknown[] = []
    for (const laterMs of [100_000, 400_000, 1_800_000]) {
      await runJobs('live', laterMs)
      const { verification, short } = await readResults('live', id)
      tries.push([verification.status, short['ada@never.test']])
    }
    dns.failing = false
    expect(tries).toEqual([
      ['running', [null]],
      ['running', [null]],
      ['completed', ['unknown']],
    ])
  })
})

describe("the account's own history", () => {
  test('beats the lists, and the later of reply and bounce counts', async () => {
    const { app, tenant } = server
    const emails = ['replied', 'bounced', 'both', 'soft', 'opted-out'].map((name) => `${name}@mail.test`)
    const [replied, bounced, both, soft, optedOut] = emails as [string, string, string, string, string]
    const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000)
    await app.db.transaction(async (tx) => {
      const { secrets } = app
      await suppress(tx, tenant, { email: bounced, source: 'bounce', reason: null, secrets, now: at(3) })
      await suppress(tx, tenant, { email: both, source: 'bounce', reason: null, secrets, now: at(3) })
      const expiresAt = new Date(Date.now() + 86_400_000)
      await suppress(tx, tenant, { email: soft, source: 'bounce', reason: null, expiresAt, secrets, now: at(3) })
      await suppress(tx, tenant, { email: optedOut, source: 'recipient', reason: null, secrets, now: at(3) })
      for (const [email, hoursAgo] of [
        [replied, 3],
        [both, 2],
        ['old@mail.test', 366 * 24],
      ] as const)
        await tx.execute(
          `insert into exchanges (account_id, environment, address_hash, sending_account_id, direction, of_campaign, at)
           values ($1, 'live', $2, 'snd_1', 'inbound', true, $3)`,
          [tenant.accountId, secrets.addressHash(email), at(hoursAgo)],
        )
    })
    const { short, byEmail } = await verify('live', [...emails, 'old@mail.test'])
    expect(short).toEqual({
      [replied]: ['deliverable', 'replied_before'],
      [bounced]: ['undeliverable', 'bounced_before'],
      [both]: ['deliverable', 'replied_before'],
      [soft]: ['unknown'],
      [optedOut]: ['unknown'],
      'old@mail.test': ['unknown'],
    })
    expect(byEmail.get(replied)).toMatchObject({ source: 'history' })
  })
})

describe('the test environment', () => {
  test('simulates addresses and asks no name server', async () => {
    const asked = dns.asked.length
    const { short, byEmail } = await verify('test', [
      'ada@prospects.test',
      'ada+bounce@prospects.test',
      'ada+quota@prospects.test',
      'ada@disposable.prospects.test',
      'ada@catchall.prospects.test',
      'ada@nomx.prospects.test',
      'info@prospects.test',
    ])
    expect(short).toEqual({
      'ada@prospects.test': ['deliverable'],
      'ada+bounce@prospects.test': ['undeliverable', 'mailbox_not_found'],
      'ada+quota@prospects.test': ['risky', 'mailbox_full'],
      'ada@disposable.prospects.test': ['risky', 'disposable'],
      'ada@catchall.prospects.test': ['risky', 'catch_all'],
      'ada@nomx.prospects.test': ['undeliverable', 'no_mx'],
      'info@prospects.test': ['deliverable', 'role'],
    })
    expect(byEmail.get('ada@prospects.test')).toMatchObject({ source: 'simulation' })
    expect(dns.asked).toHaveLength(asked)
  })
})

describe('the operations', () => {
  test('verify the open leads of a campaign', async () => {
    const { id } = await ask('test', 'POST', '/v2/campaigns', { name: 'Verified' })
    const leads = ['one', 'two', 'three'].map((name) => ({ email: `${name}@prospects.test` }))
    const added = await ask('test', 'POST', `/v2/campaigns/${id}/leads`, { leads })
    const stopped = added.results[2].leadId
    await ask('test', 'PUT', `/v2/campaigns/${id}/leads/${stopped}`, { status: 'stopped' })
    const created = await ask('test', 'POST', '/v2/verifications', { campaignId: id })
    expect(created).toMatchObject({ campaignId: id, status: 'running', total: 0 })
    await runJobs('test')
    const { verification, short } = await readResults('test', created.id)
    expect(verification).toMatchObject({ status: 'completed', total: 2, deliverable: 2 })
    expect(Object.keys(short)).toEqual(['one@prospects.test', 'two@prospects.test'])
  })

  test('refuse a body with both or neither, and ids of another environment', async () => {
    const send = (body: unknown) => server.call('POST', '/v2/verifications', { key: server.keys.test, body })
    for (const body of [{}, { emails: ['a@mail.test'], campaignId: 'cmp_1' }]) {
      const { status, body: answer } = await send(body)
      expect([status, answer.error.details.issues[0].path]).toEqual([400, 'emails'])
    }
    expect((await send({ emails: Array.from({ length: 1001 }, (_, at) => `a${at}@mail.test`) })).status).toBe(400)
    expect((await send({ campaignId: 'cmp_none' })).status).toBe(404)
    const { id } = await verify('test', ['ada@prospects.test'])
    for (const path of [`/v2/verifications/${id}`, `/v2/verifications/${id}/results`])
      expect((await server.call('GET', path, { key: server.keys.live })).status).toBe(404)
  })

  test('list results by page, by result and as CSV, also with the SDK', async () => {
    const { id } = await verify('test', ['c@prospects.test', 'a@prospects.test', 'b@nomx.prospects.test'])
    const client = new Overture({ apiKey: server.keys.test, baseUrl: server.url })
    const first = await client.verifications.results(id, { limit: 1 })
    const next = await client.verifications.results(id, { limit: 2, cursor: first.nextCursor! })
    const names = [...first.results, ...next.results].map(({ email }) => email)
    expect(names).toEqual(['a@prospects.test', 'b@nomx.prospects.test', 'c@prospects.test'])
    const risky = await client.verifications.results(id, { result: 'undeliverable' })
    expect(risky.results.map(({ email }) => email)).toEqual(['b@nomx.prospects.test'])
    const csv = await server.call('GET', `/v2/verifications/${id}/results?format=csv`, { key: server.keys.test })
    expect(csv.text.split('\n')[0]).toContain('email,result,reasons')
  })

  test('lose the results of a person who is erased', async () => {
    const { id: campaignId } = await ask('test', 'POST', '/v2/campaigns', { name: 'Erased' })
    await ask('test', 'POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: 'gone@prospects.test' }] })
    const { id } = await verify('test', ['gone@prospects.test'])
    const { results } = await ask('test', 'GET', '/v2/leads?q=gone@prospects.test')
    const exported = await ask('test', 'GET', `/v2/leads/${results[0].id}/export`)
    expect(exported.addressChecks).toMatchObject([{ email: 'gone@prospects.test', result: 'deliverable' }])
    await ask('test', 'DELETE', `/v2/leads/${results[0].id}`)
    expect((await readResults('test', id)).short).toEqual({})
    const rows = await server.app.db.query(`select from address_checks where email = 'gone@prospects.test'`)
    expect(rows).toHaveLength(0)
  })
})
