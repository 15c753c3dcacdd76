import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Verification". Each test moves the clock, which also runs the jobs. */
let server: TestServer
let senderId: string
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined])
  return answer.body
}
const advance = (hours: number) => ask('POST', '/v2/sandbox/clock/advance', { by: `${hours}h` })

async function draft(emails: readonly string[], verification: object, later: object[] = []): Promise<string> {
  const { id } = await ask('POST', '/v2/campaigns', {
    name: 'Campaign',
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }, ...later],
    schedule: {
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    sendingAccountIds: [senderId],
    settings: { verification },
  })
  if (emails.length > 0) await ask('POST', `/v2/campaigns/${id}/leads`, { leads: emails.map((email) => ({ email })) })
  return id
}

async function verify(campaignId: string): Promise<void> {
  await ask('POST', '/v2/verifications', { campaignId })
  await advance(1)
}

interface ListedLead {
  id: string
  email: string
  status: string
  blockedReason: string | null
}

async function leadsOf(id: string): Promise<Record<string, string | null>> {
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads?limit=100`)
  return Object.fromEntries(
    (results as ListedLead[]).map(({ email, status, blockedReason }) => [email.split('@')[0], blockedReason ?? status]),
  )
}

const people = [
  'good@prospects.test',
  'risky@catchall.prospects.test',
  'gone@nomx.prospects.test',
  'info@prospects.test',
]

test('an import with verify=true verifies the addresses of its campaign', async () => {
  const id = await draft([], {})
  const headers = { 'content-type': 'text/csv' }
  const body = 'email\nimported@prospects.test\nimported@nomx.prospects.test\n'
  for (const verify of ['false', 'true']) {
    const path = `/v2/campaigns/${id}/leads/import?verify=${verify}`
    expect((await server.call('POST', path, { key: server.keys.test, body, headers })).status).toBe(202)
    await advance(1)
    const { results } = await ask('GET', `/v2/campaigns/${id}/leads`)
    const found = results.map((one: { verification: { result: string } | null }) => one.verification?.result ?? null)
    expect(found).toEqual(verify === 'true' ? ['deliverable', 'undeliverable'] : [null, null])
  }
})

test('statistics count hard bounces of addresses that were called deliverable', async () => {
  const id = await draft(['checked@prospects.test', 'softly+softbounce@prospects.test'], {})
  await verify(id)
  await ask('POST', `/v2/campaigns/${id}/leads`, { leads: [{ email: 'later+bounce@prospects.test' }] })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  await advance(48)
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads?email=checked@prospects.test`)
  await ask('POST', '/v2/sandbox/inbound', { leadId: results[0].id, kind: 'bounce' })
  await advance(1)
  // The address of the soft bounce was called deliverable, too, and the other hard bounce was never verified.
  expect(await ask('GET', `/v2/campaigns/${id}/stats`)).toMatchObject({ bounced: 3, verifiedBounced: 1 })
})

test('a lead has the last result of its address, and leads are filtered by it', async () => {
  const id = await draft(people, {})
  const { results: before } = await ask('GET', `/v2/campaigns/${id}/leads?verification=none&email=fresh@prospects.test`)
  expect(before).toEqual([])
  await ask('POST', `/v2/campaigns/${id}/leads`, { leads: [{ email: 'fresh@prospects.test' }] })
  const fresh = await ask('GET', `/v2/campaigns/${id}/leads?verification=none`)
  expect(fresh.results.map((one: ListedLead) => one.email)).toContain('fresh@prospects.test')
  await verify(id)
  const byResult = async (result: string) => {
    const { results, pagination } = await ask('GET', `/v2/campaigns/${id}/leads?verification=${result}`)
    expect(pagination.totalCount).toBe(results.length)
    return results.map((one: ListedLead) => one.email)
  }
  expect(await byResult('risky')).toEqual(['risky@catchall.prospects.test'])
  expect(await byResult('undeliverable')).toEqual(['gone@nomx.prospects.test'])
  expect(await byResult('none')).toEqual([])
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads?email=info@prospects.test`)
  const [lead] = results
  expect(lead.verification).toMatchObject({ result: 'deliverable', reasons: ['role'] })
  const one = await ask('GET', `/v2/campaigns/${id}/leads/${lead.id}`)
  expect(one.verification).toEqual(lead.verification)
  expect((await ask('PUT', `/v2/campaigns/${id}/leads/${lead.id}`, { ...one, firstName: 'Info' })).firstName).toBe(
    'Info',
  )
  const stopped = await ask('POST', `/v2/campaigns/${id}/leads/bulk`, {
    filter: { verification: 'undeliverable' },
    status: 'stopped',
  })
  expect(stopped.changed).toBe(1)
})

describe('the gate address_check', () => {
  test.each([
    [{ mode: 'block_undeliverable' }, ['gone']],
    [{ mode: 'block_risky' }, ['risky', 'gone']],
    [{ mode: 'require', roleAddresses: 'block' }, ['risky', 'gone', 'info']],
    [{ roleAddresses: 'block' }, ['info']],
    [{}, []],
  ])(
    'with %j holds verified addresses, and the campaign completes',
    async (verification, held) => {
      const id = await draft(people, verification)
      await verify(id)
      const forecast = await ask('GET', `/v2/campaigns/${id}/preflight`)
      const warned = forecast.warnings.filter(({ code }: { code: string }) => code === 'address_check')
      expect(warned.map(({ count }: { count: number }) => count)).toEqual(held.length === 0 ? [] : [held.length])
      expect(
        forecast.recipients.leftOut.map((one: { reason: string; count: number }) => [one.reason, one.count]),
      ).toEqual(held.length === 0 ? [] : [['address_check', held.length]])
      await ask('POST', `/v2/campaigns/${id}/start`, {})
      await advance(48)
      const leads = await leadsOf(id)
      expect(Object.keys(leads).filter((name) => leads[name] === 'address_check')).toEqual(held)
      expect((await ask('GET', `/v2/campaigns/${id}`)).status).toBe('completed')
    },
    60_000,
  )

  test('opens when the address is verified, and explain has the sentence', async () => {
    const id = await draft(['later@prospects.test'], { mode: 'require' })
    await ask('POST', `/v2/campaigns/${id}/start`, {})
    await advance(2)
    expect(await leadsOf(id)).toEqual({ later: 'address_check' })
    const { results } = await ask('GET', `/v2/campaigns/${id}/leads`)
    const explained = await ask('GET', `/v2/campaigns/${id}/leads/${results[0].id}/explain`)
    expect(explained.blockedReason).toBe('address_check')
    expect(explained.gates.find(({ gate }: { gate: string }) => gate === 'address_check').detail).toBe(
      'The address was not verified in the last 90 days.',
    )
    await verify(id)
    await advance(24)
    expect(await leadsOf(id)).toEqual({ later: 'completed' })
  }, 60_000)

  test('holds the second step after a verification during the same move of the clock', async () => {
    const followUp = { waitBefore: { value: 2, unit: 'days' }, variants: [{ body: 'Another question.' }] }
    const id = await draft(['between@nomx.prospects.test'], { mode: 'block_undeliverable' }, [followUp])
    await ask('POST', `/v2/campaigns/${id}/start`, {})
    await ask('POST', '/v2/verifications', { campaignId: id })
    await advance(96)
    expect(await leadsOf(id)).toEqual({ between: 'address_check' })
  }, 60_000)

  test('opens when the setting changes', async () => {
    const id = await draft(['other@prospects.test'], { mode: 'require' })
    await ask('POST', `/v2/campaigns/${id}/start`, {})
    await advance(2)
    expect(await leadsOf(id)).toEqual({ other: 'address_check' })
    const { settings } = await ask('PUT', `/v2/campaigns/${id}`, { settings: { verification: { mode: 'off' } } })
    expect(settings.verification).toEqual({ mode: 'off', roleAddresses: 'allow' })
    await advance(24)
    expect(await leadsOf(id)).toEqual({ other: 'completed' })
  }, 60_000)
})
