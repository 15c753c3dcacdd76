import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCall, startTestServer, type TestServer } from '@overture/testing/server.ts'
import { measureClockSkew } from '../platform/db/clock-skew.sql.ts'
import { createHttpServer } from '../platform/http/server.shell.ts'
import { refuseClockSkew } from './open-app.shell.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const clockOff = (ms: number) => ({ now: () => new Date(Date.now() + ms) })
/** The longest time that a query may take here; the measured difference does not include it. */
const onTheWayMs = 60_000

test('a start with a clock off by more than five seconds is refused, and any other accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -3_600_000, max: 3_600_000 }), async (offMs) => {
      const skewMs = await measureClockSkew(server.app.db, clockOff(offMs))
      expect(Math.abs(skewMs)).toBeLessThanOrEqual(Math.abs(offMs) + 1)
      expect(Math.abs(skewMs)).toBeGreaterThanOrEqual(Math.max(0, Math.abs(offMs) - onTheWayMs))
      expect(Math.sign(skewMs) * Math.sign(offMs)).toBeGreaterThanOrEqual(0)
      // Between the two limits the result depends on the duration of the query, so it is not tested there.
      if (Math.abs(offMs) < 4_990) await refuseClockSkew(server.app.db, clockOff(offMs))
      if (Math.abs(offMs) > onTheWayMs + 5_010)
        await expect(refuseClockSkew(server.app.db, clockOff(offMs))).rejects.toThrow(
          offMs > 0 ? /ahead of that of the database.*NTP/ : /behind that of the database.*NTP/,
        )
    }),
    { numRuns: 60 },
  )
})

test.each([
  [0, 200],
  [600_000, 503],
  [-600_000, 503],
])('with a clock off by %i ms /readyz is %i and the reason is logged', async (offMs, status) => {
  const logged: unknown[] = []
  const log = Object.assign(Object.create(server.app.log) as typeof server.app.log, {
    error: (entry: { event: string }) => logged.push(entry.event),
  })
  const app = { ...server.app, log, clock: clockOff(offMs) }
  const off = await createHttpServer({ app, routes: [], limiter: server.admission })
  try {
    const call = createCall(await off.listen({ host: '127.0.0.1', port: 0 }))
    expect((await call('GET', '/readyz')).status).toBe(status)
    expect(logged).toEqual(status === 200 ? [] : ['clock.skewed'])
  } finally {
    await off.close()
  }
})
