import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { publicRoute } from './public-route.ts'

const rate = { name: 'test', perMinute: 1, burst: 3 }
const page = publicRoute({ method: 'GET', path: '/page/:name', rate, handler: async () => 'here' })
const hook = publicRoute({ method: 'GET', path: '/hook/:name', handler: async () => 'here' })
const publicRoutes = () => [page, hook]

let server: TestServer
let behindStranger: TestServer
beforeAll(async () => {
  server = await startTestServer({ publicRoutes })
  behindStranger = await startTestServer({ publicRoutes, environment: { OVERTURE_TRUSTED_PROXIES: '192.0.2.7' } })
})
afterAll(() => Promise.all([server.stop(), behindStranger.stop()]))

const ask = (to: TestServer, path: string, forwardedFor: string) =>
  to.call('GET', path, { headers: { 'x-forwarded-for': forwardedFor } })

test('each address has its own limit, whatever its headers claim, and gets Retry-After', async () => {
  // This machine is a trusted proxy, so the last address in the header counts.
  const address = fc.oneof(
    fc.ipV4().filter((one) => !one.startsWith('127.')),
    fc.ipV6().filter((one) => !one.includes('.') && !/^[0:]*1$/.test(one)),
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(address, { minLength: 2, maxLength: 3 }), async (addresses) => {
      for (const [index, one] of addresses.entries()) {
        // Addresses before the last one in the header were written by the client.
        const answers = []
        for (let count = 0; count < 4; count++)
          answers.push(await ask(server, '/page/x', `198.51.100.${count}, ${one}`))
        const statuses = answers.map((answer) => answer.status)
        if (index === 0 && statuses[0] === 429) return
        expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(rate.burst)
        const last = answers.at(-1)!
        expect([last.status, last.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
        const waitSeconds = Number(last.headers.get('retry-after'))
        expect(waitSeconds > 0 && waitSeconds <= 60).toBe(true)
      }
    }),
    { numRuns: 20 },
  )
})

test('readiness reports whether the proxy in front is configured', async () => {
  const proxyOf = async (to: TestServer) => (await ask(to, '/readyz', '203.0.113.8')).headers.get('x-overture-proxy')
  expect([await proxyOf(server), await proxyOf(behindStranger)]).toEqual([null, 'unknown'])
})

test('HEAD, trailing slashes and other names of a page count together; hooks have no limit', async () => {
  const from = '203.0.113.9'
  const head = await server.call('HEAD', '/page/a', { headers: { 'x-forwarded-for': from } })
  const rest = [
    await ask(server, '/page/b/', from),
    await ask(server, '/page/c', from),
    await ask(server, '/page/a', from),
  ]
  expect([head, ...rest].map(({ status }) => status)).toEqual([200, 200, 200, 429])
  for (let count = 0; count < 10; count++) expect((await ask(server, '/hook/a', from)).status).toBe(200)
})

test('clients behind an unknown proxy share one larger limit', async () => {
  const statuses = []
  for (let count = 0; count < 70; count++)
    statuses.push((await ask(behindStranger, '/page/x', `203.0.113.${count}`)).status)
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200))
  expect(statuses.at(-1)).toBe(429)
})
