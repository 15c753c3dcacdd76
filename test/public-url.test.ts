import { afterAll, beforeAll, expect, test } from 'vitest'
import { agreeOnPublicUrl } from '@overture/server/composition/public-url.commands.ts'
import type { App } from '@overture/server/platform/app.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

const publicUrl = 'https://mail.example.com'
const privateUrls = ['http://mail.example.com', 'https://localhost', 'https://10.0.0.7', 'https://mail.internal']

async function blockersWith(environment: Record<string, string>, keys: 'live' | 'test'): Promise<string[]> {
  const server = await startWholeServer({ environment })
  try {
    const call = (path: string, body?: unknown) => server.call('POST', path, { key: server.keys[keys], body })
    const { id } = (await call('/v2/campaigns', { name: 'Spring' })).body
    const refused = await call(`/v2/campaigns/${id}/start`)
    expect(refused.status).toBe(409)
    return refused.body.error.details.blockers.map((one: { code: string }) => one.code)
  } finally {
    await server.stop()
  }
}

test.each(privateUrls)("a live campaign can't start with links to %s", async (url) => {
  expect(await blockersWith({ OVERTURE_PUBLIC_URL: url }, 'live')).toContain('public_url_unreachable')
})

test('a public https URL lets it start, and so does OVERTURE_ALLOW_PRIVATE_TARGETS', async () => {
  const code = 'public_url_unreachable'
  expect(await blockersWith({ OVERTURE_PUBLIC_URL: publicUrl }, 'live')).not.toContain(code)
  expect(await blockersWith({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }, 'live')).not.toContain(code)
  expect(await blockersWith({}, 'test')).not.toContain(code)
})

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The public URL that a node agrees on for the address on which it listens. */
async function agreed(environment: Record<string, string>, listened: string, warned: unknown[] = []): Promise<string> {
  const made: App = createTestApp(database, { environment })
  const log = Object.assign(Object.create(made.log) as App['log'], {
    warn: ({ event, set }: { event: string; set?: string }) => warned.push(`${event} ${set}`),
  })
  const app = { ...made, log }
  await agreeOnPublicUrl(app, listened)
  return app.config.publicUrl
}

test('all nodes use the same URL: a worker takes it from API nodes and never uses its own port', async () => {
  await expect(agreed({ OVERTURE_ROLE: 'worker' }, 'http://127.0.0.1:1')).rejects.toThrow('OVERTURE_PUBLIC_URL')
  expect(await agreed({ OVERTURE_ROLE: 'api' }, 'http://127.0.0.1:2')).toBe('http://127.0.0.1:2')
  expect(await agreed({ OVERTURE_ROLE: 'worker' }, 'http://127.0.0.1:3')).toBe('http://127.0.0.1:2')
  expect(await agreed({ OVERTURE_PUBLIC_URL: `${publicUrl}/` }, 'http://127.0.0.1:4')).toBe(publicUrl)
  expect(await agreed({ OVERTURE_ROLE: 'worker' }, 'http://127.0.0.1:5')).toBe(publicUrl)
  expect(await agreed({}, 'http://127.0.0.1:6')).toBe(publicUrl)
})

test('a node with an unreachable public URL warns at its start', async () => {
  const warned = async (environment: Record<string, string>, listened = 'http://127.0.0.1:1') => {
    const logged: unknown[] = []
    await agreed(environment, listened, logged)
    return logged.includes('public_url.unreachable OVERTURE_PUBLIC_URL')
  }
  for (const url of privateUrls) expect([url, await warned({ OVERTURE_PUBLIC_URL: url })]).toEqual([url, true])
  expect(await warned({ OVERTURE_PUBLIC_URL: publicUrl })).toBe(false)
  expect(await warned({ OVERTURE_PUBLIC_URL: privateUrls[0]!, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })).toBe(false)
  await database.db.execute(`delete from settings where name in ('public_url', 'listened_url')`)
  for (const listened of ['http://0.0.0.0:3000', 'http://[::]:3000', 'http://localhost:3000'])
    expect([listened, await warned({}, listened)]).toEqual([listened, true])
})
