import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dmarcSamples } from '@overture/testing/deliverability/dmarc-samples.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let dns: DnsDouble
const domain = 'run.example.com'
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const seconds = (date: string) => Date.parse(`${date}T00:00:00.000Z`) / 1_000

beforeAll(async () => {
  dns = await startDnsDouble({
    TXT: {
      [domain]: ['v=spf1 ip4:192.0.2.0/28 include:_spf.provider.test ~all'],
      '_spf.provider.test': ['v=spf1 ip6:2001:db8::/64 -all'],
      [`_dmarc.${domain}`]: ['v=DMARC1; p=reject; rua=mailto:d@run.example.com'],
    },
    MX: { [domain]: ['10 mx.run.example.com'] },
  })
  server = await startWholeServer({ environment: { OVERTURE_DNS_SERVERS: dns.server } })
  for (const email of ['ada@run.example.com', 'bob@run.example.com', 'eve@second.example.com']) {
    const login = { host: '127.0.0.1', security: 'none', username: 'ada', password: 'secret', port: 2525 }
    const made = await call('POST', '/v2/sending-accounts', {
      body: { email, fromName: 'Ada', smtp: login, trackingDomain: 'go.third.example.com' },
    })
    expect(made.status, made.text).toBe(201)
  }
})
afterAll(async () => {
  await server.stop()
  await dns.stop()
})

function call(
  method: string,
  path: string,
  more: { body?: unknown; headers?: Record<string, string>; key?: string } = {},
) {
  return server.call(method, path, { key: server.keys.live, ...more })
}

async function report(date: string, id: string, rows: Parameters<typeof dmarcSamples.google>[0]['rows']) {
  const beginsAt = seconds(date)
  const xml = dmarcSamples.google({ domain, id, beginsAt, endsAt: beginsAt + 3_600, policy: 'quarantine', rows: rows! })
  const headers = { 'content-type': 'text/xml' }
  expect((await call('POST', '/v2/deliverability/dmarc-reports', { body: xml, headers })).status).toBe(201)
}

const get = async (query = '') => (await call('GET', `/v2/deliverability/domains/${domain}${query}`)).body

describe('domains that send', () => {
  test('are listed by name, with their senders, by cursor and as CSV', async () => {
    const first = (await call('GET', '/v2/deliverability/domains?limit=2')).body
    const found = (list: { results: { domain: string; senders: number }[] }) =>
      list.results.map((one) => [one.domain, one.senders])
    expect(found(first)).toEqual([
      ['go.third.example.com', 0],
      [domain, 2],
    ])
    expect(first.pagination.totalCount).toBe(3)
    expect(first.results[1]).toMatchObject({ state: 'healthy', lastReportOn: null, reported: { messages: 0 } })
    const next = (await call('GET', `/v2/deliverability/domains?limit=2&cursor=${first.nextCursor}`)).body
    expect(found(next)).toEqual([['second.example.com', 1]])
    const csv = await call('GET', '/v2/deliverability/domains', { headers: { accept: 'text/csv' } })
    expect(csv.text).toContain(domain)
  })

  test('of another account or environment do not exist', async () => {
    const keys = [server.other.keys.live, server.keys.test]
    for (const key of keys) {
      expect((await call('GET', `/v2/deliverability/domains/${domain}`, { key })).status).toBe(404)
      expect((await call('GET', '/v2/deliverability/domains', { key })).body.results).toEqual([])
    }
    expect((await call('GET', '/v2/deliverability/domains/example.com')).status).toBe(404)
  })
})

describe('a domain', () => {
  test('has the reports of its days, with the addresses that its SPF record allows', async () => {
    await report(day(2), 'one', [
      { ip: '192.0.2.10', count: 40, spf: true, dkim: true },
      { ip: '2001:db8::7', count: 9, dkim: true },
      { ip: '198.51.100.66', count: 5, disposition: 'reject' },
    ])
    await report(day(2), 'two', [{ ip: '192.0.2.10', count: 2, spf: true }])
    await report(day(5), 'three', [{ ip: '192.0.2.200', count: 3, spf: true }])
    const detail = await get()
    expect(detail.dmarc).toMatchObject({
      policy: 'quarantine',
      messages: 59,
      spfAligned: 45,
      dkimAligned: 49,
      passed: 54,
    })
    expect(detail.dmarc.sources).toEqual([
      { ip: '192.0.2.10', count: 42, disposition: 'none', spfAligned: 42, dkimAligned: 40, known: true },
      { ip: '2001:db8::7', count: 9, disposition: 'none', spfAligned: 0, dkimAligned: 9, known: true },
      { ip: '198.51.100.66', count: 5, disposition: 'reject', spfAligned: 0, dkimAligned: 0, known: false },
      { ip: '192.0.2.200', count: 3, disposition: 'none', spfAligned: 3, dkimAligned: 0, known: false },
    ])
    expect(detail.dmarc.days.map((one: { date: string; messages: number }) => [one.date, one.messages])).toEqual([
      [day(5), 3],
      [day(2), 56],
    ])
    expect((await get(`?from=${day(3)}&to=${day(1)}`)).dmarc).toMatchObject({ messages: 56, policy: 'quarantine' })
    expect((await get(`?from=${day(1)}`)).dmarc).toMatchObject({ messages: 0, sources: [], days: [] })
    const { results } = (await call('GET', '/v2/deliverability/domains')).body
    expect(results[1]).toMatchObject({ domain, lastReportOn: day(2), reported: { messages: 59, passed: 54 } })
  })

  test('has its DNS records with what to publish, and its senders', async () => {
    const detail = await get()
    expect(detail.dns).toMatchObject({ spf: { status: 'pass' }, dmarc: { status: 'pass' }, mx: { status: 'pass' } })
    expect(detail.dns.dkim.put).toMatchObject({ type: 'TXT' })
    const senders = detail.senders.map((one: { email: string; sent: number; state: string }) => [one.email, one.sent])
    expect(senders).toEqual([
      ['ada@run.example.com', 0],
      ['bob@run.example.com', 0],
    ])
    expect(detail).toMatchObject({ placement: null, state: 'healthy', bouncesByProvider: [], complaints: { leads: 0 } })
    const tracking = (await call('GET', '/v2/deliverability/domains/go.third.example.com')).body
    expect(tracking).toMatchObject({ dns: null, senders: [] })
  })

  test.each([
    ['?from=2026-02-01&to=2026-01-01', 'from'],
    ['?from=2024-01-01&to=2026-01-01', 'from'],
    ['?from=yesterday', 'from'],
    ['?surprise=1', 'surprise'],
  ])('refuses %s and names the field', async (query, path) => {
    const { status, body } = await call('GET', `/v2/deliverability/domains/${domain}${query}`)
    expect([status, body.error.details.issues[0].path]).toEqual([400, path])
  })
})

test('counts messages, bounces and complaints of its senders by the provider of the recipient', async () => {
  const key = server.keys.test
  const email = 'ada@simulated.example.com'
  const sender = await call('POST', '/v2/sending-accounts', { key, body: { email, provider: 'sandbox' } })
  const always = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((weekday) => ({
    days: [weekday],
    from: '00:00',
    to: '24:00',
  }))
  const people = ['a+bounce@prospects.test', 'b@prospects.test', 'c@gmail.com', 'd@hotmail.com', 'e@hotmail.com']
  const launched = await call('POST', '/v2/campaigns/launch', {
    key,
    body: {
      name: 'One',
      sendingAccountIds: [sender.body.id],
      schedule: { timezone: 'UTC', windows: always },
      settings: { bounceProtection: { enabled: false } },
      steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
      leads: people.map((one) => ({ email: one })),
    },
  })
  expect(launched.status, launched.text).toBeLessThan(300)
  const advanced = await call('POST', '/v2/sandbox/clock/advance', { key, body: { by: '1d' } })
  expect(advanced.status, advanced.text).toBe(200)
  const detail = await call('GET', '/v2/deliverability/domains/simulated.example.com', { key })
  expect(detail.body.bouncesByProvider).toEqual([
    { provider: 'microsoft', sent: 2, bounced: 0 },
    { provider: 'unknown', sent: 2, bounced: 1 },
    { provider: 'google', sent: 1, bounced: 0 },
  ])
  expect(detail.body.senders).toMatchObject([{ email, sent: 5, bounced: 1, state: 'healthy' }])
  expect(detail.body.complaints).toEqual({ leads: 5, complaints: 0 })
  expect(detail.body.dns.spf.status).toBe('unknown')
})
