import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer } from '@overture/testing/server.ts'
import { mayReadMetrics, type MetricsAsker } from './metrics-access.ts'

const loopback = fc.oneof(
  fc.constantFrom('::1', '::ffff:127.0.0.1'),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => `127.${parts.join('.')}`),
)
const elsewhere = fc.oneof(
  fc.ipV4().filter((ip) => !ip.startsWith('127.')),
  fc.ipV6().filter((ip) => !/^[0:]*:?(?:0*1|.*[.].*|(?:ffff|0):.*)$/i.test(ip)),
  fc.constantFrom('10.0.0.1', '172.17.0.1', '192.168.1.1', 'fe80::1', '', 'localhost'),
)
const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const visible = fc.string({ unit, maxLength: 40 })
const token = fc.string({ unit, minLength: 16, maxLength: 40 })

test('without a token metrics are readable from this machine only, and not through a proxy', () => {
  const asker = (address: string, rest: Partial<MetricsAsker> = {}): MetricsAsker => {
    return { authorization: undefined, address, isForwarded: false, ...rest }
  }
  fc.assert(
    fc.property(loopback, elsewhere, fc.option(visible, { nil: undefined }), (here, there, authorization) => {
      expect(mayReadMetrics(null, asker(here, { authorization }))).toBe(true)
      expect(mayReadMetrics(null, asker(here, { authorization, isForwarded: true }))).toBe(false)
      expect(mayReadMetrics(null, asker(there, { authorization }))).toBe(false)
    }),
  )
})

test('with a token metrics need exactly that token', () => {
  fc.assert(
    fc.property(token, visible, fc.oneof(loopback, elsewhere), fc.boolean(), (right, other, address, isForwarded) => {
      const may = (authorization: string | undefined) => {
        return mayReadMetrics(right, { authorization, address, isForwarded })
      }
      expect(may(`Bearer ${right}`)).toBe(true)
      expect(may(`bearer  ${right} `)).toBe(true)
      fc.pre(other !== right)
      const others = [undefined, '', right, `Basic ${right}`, 'Bearer', `Bearer ${other}`, `Bearer ${right.slice(1)}`]
      expect([...others, `Bearer ${right}${other}x`, `Bearer ${right} ${right}`].map(may)).not.toContain(true)
    }),
  )
})

test("a local proxy's requests count as remote, and the refusal says what to set", async () => {
  const server = await startTestServer()
  const metrics = async (headers: Record<string, string>) => server.call('GET', '/metrics', { headers })
  expect((await metrics({})).text).toContain('overture_http_requests_total')
  const forwarded = ['203.0.113.7', '127.0.0.1, 203.0.113.7', '10.0.0.9', '2001:db8::7', 'unknown']
  for (const address of forwarded) {
    const refused = await metrics({ 'x-forwarded-for': address })
    expect([refused.status, refused.body.error.code], address).toEqual([401, 'UNAUTHORIZED'])
    expect(refused.body.error.message).toContain('OVERTURE_METRICS_TOKEN')
    expect(refused.text).not.toContain('overture_http')
  }
  expect((await metrics({ forwarded: 'for=203.0.113.7' })).status).toBe(401)
  await server.stop()
})

test('an untrusted local proxy counts as remote', async () => {
  const server = await startTestServer({ environment: { OVERTURE_TRUSTED_PROXIES: '192.0.2.1' } })
  const headers = { 'x-forwarded-for': '127.0.0.1' }
  expect((await server.call('GET', '/metrics', { headers })).status).toBe(401)
  expect((await server.call('GET', '/metrics')).status).toBe(200)
  await server.stop()
})

test('a configured token is required for every client', async () => {
  const token = 'a-token-of-sixteen-and-more'
  const server = await startTestServer({ environment: { OVERTURE_METRICS_TOKEN: token } })
  const metrics = (key: string | null) => server.call('GET', '/metrics', { key })
  expect([(await metrics(null)).status, (await metrics(server.keys.live)).status]).toEqual([401, 401])
  expect((await metrics(null)).headers.get('www-authenticate')).toBe('Bearer')
  expect((await metrics(token)).text).toContain('overture_http_requests_total')
  await server.stop()
})
