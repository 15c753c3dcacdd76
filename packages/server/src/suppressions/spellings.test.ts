import { testRenderer } from '@overture/testing/renderer.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignJobs, campaignRoutes } from '../campaigns/index.ts'
import { runDueJobs } from '../platform/jobs/run-due-jobs.shell.ts'
import { findSuppressed, suppressionsRoutes } from './index.ts'

const gone = 'gone.person@prospects.test'
const hidden = [
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202c',
  '\u2060',
  '\u2066',
  '\ufe0f',
  '\u3164',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u061c',
  '\u034f',
  '\u180e',
  '\ue001',
  '\u0378',
]

let server: TestServer
let campaignId: string
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })

beforeAll(async () => {
  const checkAi = async () => ({ missingPresetIds: [], creditsMissing: false })
  server = await startTestServer({
    routes: () => [...campaignRoutes({ renderer: testRenderer, checkAi }), ...suppressionsRoutes()],
  })
  campaignId = (await call('POST', '/v2/campaigns', { name: 'Spellings' })).body.id
  expect((await call('POST', '/v2/suppressions', { email: gone })).status).toBe(201)
})
afterAll(() => server.stop())

/** Spellings of the suppressed address with invisible characters, full-width letters and capitals. */
const spelling = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...hidden)), { maxLength: 3 }),
    fc.uniqueArray(fc.nat(10), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([inserted, wide, isUpper]) => {
    const letters = Array.from(isUpper ? gone.toUpperCase() : gone)
    for (const at of wide) letters[at] = String.fromCodePoint(letters[at]!.codePointAt(0)! + 0xfee0)
    for (const [at, character] of inserted) letters.splice(at % (letters.length + 1), 0, character)
    return letters.join('')
  })

interface Result {
  outcome: string
  reason: string | null
}

describe('a suppressed address', () => {
  test("can't be added by API or file in any spelling", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spelling, { minLength: 1, maxLength: 40 }), async (spellings) => {
        const leads = spellings.map((email) => ({ email }))
        const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads })
        expect(added.body.added).toBe(0)
        for (const { outcome, reason } of added.body.results as Result[])
          expect(['suppressed', 'invalid_email']).toContain(outcome === 'skipped' ? 'suppressed' : reason)
        const upload = await server.call('POST', `/v2/campaigns/${campaignId}/leads/import`, {
          key: server.keys.test,
          body: `email\n${spellings.map((email) => `"${email}"`).join('\n')}\n`,
          headers: { 'content-type': 'text/csv' },
        })
        await runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())
        const job = (await call('GET', `/v2/imports/${upload.body.id}`)).body
        expect(job).toMatchObject({ status: 'completed', added: 0, updated: 0 })
        const found = await findSuppressed(server.app.db, server.testTenant, {
          secrets: server.app.secrets,
          emails: spellings,
        })
        expect(spellings.filter((email) => !found.has(email))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test.each(hidden)('is refused with %j inside, and the error names the character', async (character) => {
    const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    const spelled = `gone${character}.person@prospects.test`
    const { body } = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email: spelled }] })
    expect(body.results[0]).toMatchObject({
      outcome: 'invalid',
      reason: 'invalid_email',
      field: 'email',
      message: expect.stringContaining(`invisible character ${name}`),
    })
    const suppressed = await call('POST', '/v2/suppressions', { email: spelled })
    expect([suppressed.status, suppressed.body.error.details.issues]).toEqual([
      400,
      [{ path: 'email', rule: 'invisible', message: expect.stringContaining(name) }],
    ])
  })
})
