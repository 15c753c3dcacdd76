import { expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import { createPublicRoutes } from '@overture/server/composition/routes.ts'
import { createServices } from '@overture/server/composition/services.ts'

/** Routes without a key and without a rate limit, with the reason why that is safe. */
const unbounded: Record<string, string> = {
  'POST /hooks/cal-com/:accountId': 'a program, known by its signature',
  'POST /hooks/calendly/:accountId': 'a program, known by its signature',
  'POST /hooks/stripe': 'a program, known by its signature',
  'GET /': 'the way to the console',
  'GET /app': 'files that are in memory',
  'GET /app/*': 'files that are in memory',
  'POST /app/frame': 'what came goes back, a mebibyte at most, and nothing else is asked',
}

test('every route without a key has a rate limit per address or a listed reason', async () => {
  const database = await createTestDatabase()
  const app = createTestApp(database)
  const services = await createServices({ app, engine: app, databaseUrl: database.url })
  try {
    const routes = createPublicRoutes(app, services)
    const free = routes.filter(({ rate }) => rate === undefined).map(({ method, path }) => `${method} ${path}`)
    expect(routes.length).toBeGreaterThan(12)
    expect(free.toSorted()).toEqual(Object.keys(unbounded).toSorted())
  } finally {
    services.streams.stop()
    await services.stop()
    await database.drop()
  }
})
