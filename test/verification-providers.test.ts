import { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { verificationTools } from '@overture/server/composition/slice-wiring.ts'
import { readBalance } from '@overture/server/credits/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { verificationJobs } from '@overture/server/verification/index.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { verificationKey, VerificationStub } from '@overture/testing/verification/verification-stub.server.ts'

const stub = new VerificationStub()
let dns: DnsDouble
beforeAll(async () => {
  dns = await startDnsDouble({ MX: { 'mail.test': ['10 mx.mail.test'] } })
  await stub.listen()
})
afterAll(async () => {
  await stub.stop()
  await dns.stop()
})

type Provider = VerificationStub['provider']

const found: Record<Provider, Record<'good' | 'bad' | 'risky' | 'unknown', object>> = {
  zerobounce: {
    good: { status: 'valid', sub_status: '', did_you_mean: null },
    bad: { status: 'invalid', sub_status: 'mailbox_not_found', did_you_mean: null },
    risky: { status: 'catch-all', sub_status: '', did_you_mean: null },
    unknown: { status: 'unknown', sub_status: 'greylisted', did_you_mean: null },
  },
  neverbounce: {
    good: { status: 'success', result: 'valid', flags: ['has_dns'], suggested_correction: '' },
    bad: { status: 'success', result: 'invalid', flags: ['has_dns'], suggested_correction: '' },
    risky: { status: 'success', result: 'catchall', flags: ['accepts_all'], suggested_correction: '' },
    unknown: { status: 'success', result: 'unknown', flags: [], suggested_correction: '' },
  },
  bouncer: {
    good: { status: 'deliverable', reason: 'accepted_email' },
    bad: { status: 'undeliverable', reason: 'rejected_email' },
    risky: { status: 'risky', reason: 'low_deliverability', domain: { acceptAll: 'yes' } },
    unknown: { status: 'unknown', reason: 'timeout' },
  },
}

describe.each(['zerobounce', 'neverbounce', 'bouncer'] as const)('%s', (provider) => {
  let server: TestServer
  beforeAll(async () => {
    stub.provider = provider
    server = await startWholeServer({
      environment: {
        OVERTURE_DNS_SERVERS: dns.server,
        OVERTURE_VERIFICATION_PROVIDER: provider,
        OVERTURE_VERIFICATION_API_KEY: verificationKey,
        OVERTURE_VERIFICATION_BASE_URL: `${stub.url}/`,
      },
    })
  })
  afterAll(() => server.stop())
  afterEach(() => {
    stub.asked = []
    stub.refusals = 0
  })

  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, path, { key: server.keys.live, body })
    expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
    return answer.body
  }
  const runJobs = (laterMs = 0) =>
    runDueJobs(server.app, server.tenant, new Date(Date.now() + laterMs), verificationJobs(verificationTools))
  const start = async (emails: string[]): Promise<string> => (await ask('POST', '/v2/verifications', { emails })).id
  const balance = () => readBalance(server.app.db, server.tenant)

  async function read(id: string) {
    const { status, creditsCharged } = await ask('GET', `/v2/verifications/${id}`)
    const { results } = await ask('GET', `/v2/verifications/${id}/results?limit=100`)
    type Result = { email: string; result: string | null; reasons: string[] }
    const short = (results as Result[]).map(({ email, result, reasons }) => [email.split('@')[0], result, ...reasons])
    return { status, creditsCharged, results: short }
  }

  test('is asked for the rest, and each definite result costs one credit', async () => {
    stub.respond = (email) => ({ status: 200, body: found[provider][email.split('@')[0] as 'good'] })
    const before = await balance()
    const id = await start(['good@mail.test', 'bad@mail.test', 'risky@mail.test', 'ada@absent.test', 'no address'])
    await runJobs()
    expect(await read(id)).toEqual({
      status: 'completed',
      creditsCharged: 3,
      results: [
        ['ada', 'undeliverable', 'no_mx'],
        ['bad', 'undeliverable', 'mailbox_not_found'],
        ['good', 'deliverable'],
        ['no address', 'undeliverable', 'syntax'],
        ['risky', 'risky', 'catch_all'],
      ],
    })
    expect(await balance()).toBe(before - 3)
    expect([[...stub.asked].sort(), stub.refusals]).toEqual([['bad@mail.test', 'good@mail.test', 'risky@mail.test'], 0])

    stub.asked = []
    const again = await start(['good@mail.test', 'bad@mail.test'])
    await runJobs()
    expect(await read(again)).toMatchObject({ status: 'completed', creditsCharged: 0 })
    expect([stub.asked, await balance()]).toEqual([[], before - 3])
  })

  test.each([
    ['a refused pace', { status: 429, body: {} }],
    ['no credits', { status: 402, body: {} }],
    ['a crash', { status: 500, body: 'oops' }],
    ['nonsense', { status: 200, body: '[1, 2' }],
    ['a lost connection', null],
  ])('is asked again after %s, with one charge in the end', async (name, answer) => {
    const email = `good.${name.replaceAll(' ', '-')}@mail.test`
    const before = await balance()
    stub.respond = () => answer
    const id = await start([email])
    await runJobs()
    expect(await read(id)).toMatchObject({ status: 'running', creditsCharged: 0 })
    expect(await balance()).toBe(before)
    stub.respond = () => ({ status: 200, body: found[provider].good })
    await runJobs(61_000)
    expect(await read(id)).toMatchObject({ status: 'completed', creditsCharged: 1 })
    expect([stub.asked, await balance()]).toEqual([[email, email], before - 1])
  })

  test('and the rules never look up the name of a mail server, so no connection to it is possible', async () => {
    stub.respond = () => ({ status: 200, body: found[provider].good })
    const connect = vi.spyOn(Socket.prototype, 'connect')
    const id = await start(['good.port@mail.test', 'ada@absent.test', 'ada@gmial.com'])
    await runJobs()
    const targets = JSON.stringify(connect.mock.calls)
    connect.mockRestore()
    expect(await read(id)).toMatchObject({ status: 'completed' })
    expect(dns.asked).toContain('mail.test')
    expect(dns.asked).not.toContain('mx.mail.test')
    for (const port of [25, 465, 587]) expect(targets).not.toMatch(new RegExp(`"port":"?${port}"?[,}]`))
  })

  test('that knows nothing leaves the address unknown after four tries, without a charge', async () => {
    const before = await balance()
    stub.respond = () => ({ status: 200, body: found[provider].unknown })
    const id = await start(['nothing@mail.test'])
    for (const laterMs of [0, 61_000, 400_000, 1_800_000]) await runJobs(laterMs)
    expect(await read(id)).toEqual({ status: 'completed', creditsCharged: 0, results: [['nothing', 'unknown']] })
    expect([stub.asked.length, await balance()]).toEqual([4, before])
  })

  test('is asked no more addresses at once after it refused', async () => {
    stub.respond = () => ({ status: 429, body: {} })
    await start(Array.from({ length: 40 }, (_, at) => `many${at}@mail.test`))
    await runJobs()
    expect(stub.asked.length).toBeLessThanOrEqual(5)
  })

  test('is not asked without credits, and the addresses are unknown', async () => {
    const { accountId } = server.tenant
    const known = await balance()
    const set = (amount: number) =>
      server.app.db.execute(
        `update credit_balances set balance = $2, expiring = least(expiring, $2) where account_id = $1 and environment = 'live'`,
        [accountId, amount],
      )
    await set(0)
    stub.respond = () => ({ status: 200, body: found[provider].good })
    const id = await start(['poor@mail.test'])
    await runJobs()
    await set(known)
    expect(await read(id)).toEqual({ status: 'completed', creditsCharged: 0, results: [['poor', 'unknown']] })
    expect(stub.asked).toEqual([])
  })
})
