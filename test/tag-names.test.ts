import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportJobs } from '@overture/server/exports/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Lists and tags". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  for (const { name } of named) ids.set(name, (await done('POST', '/v2/tags', { name })).id)
})
afterAll(() => server.stop())

/** Names in their order, and other spellings of each. Letters that look alike are written by their code. */
const named = [
  { name: 'Alpha', same: ['ALPHA', 'alpha'] },
  { name: 'Caf\u00e9', same: ['cafe\u0301', 'CAFE\u0301', 'CAF\u00c9'] },
  { name: '\u0130zmir', same: ['i\u0307ZMIR', 'I\u0307zmir'] },
  { name: '\u212aappa', same: ['kappa', 'KAPPA'] },
  { name: 'STRA\u1e9eE', same: ['stra\u00dfe'] },
  { name: 'zulu', same: ['Zulu'] },
  { name: '\u00c4rzte', same: ['\u00e4rzte', 'A\u0308RZTE'] },
  { name: '\u0131lica', same: [] },
  { name: '\u0391\u03a3', same: ['\u03b1\u03c2', '\u03b1\u03c3'] },
  { name: '\u2126', same: ['\u03c9', '\u03a9'] },
]
const names = named.map(({ name }) => name)
const ids = new Map<string, string>()

/** The names by page. Ends after more pages than there are tags, so that a cursor that goes in a circle fails the test. */
async function readPages(limit: number): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null && pages.length <= names.length;) {
    const page: AnswerBody = await done('GET', `/v2/tags?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    pages.push(page.results.map(({ name }: AnswerBody) => name))
    cursor = page.nextCursor
  }
  return pages
}

test.each([1, 2, 100])('pages of %i have every tag once, in order', async (limit) => {
  expect((await readPages(limit)).flat()).toEqual(names)
})

const spellings = named.flatMap(({ name, same }) => same.map((other) => ({ name, other })))

test.each(spellings)('the tag $name is not created again as $other', async ({ name, other }) => {
  const created = await call('POST', '/v2/tags', { name: other })
  expect([created.status, created.body.error?.details.issues[0].rule]).toEqual([400, 'unique'])
  const renamed = await call('PUT', `/v2/tags/${ids.get(names.find((one) => one !== name)!)}`, { name: other })
  expect([renamed.status, renamed.body.error?.details.issues[0].rule]).toEqual([400, 'unique'])
})

test('a tag can be renamed to another spelling of its name, and is found by both', async () => {
  const id = ids.get('zulu')
  expect(await done('PUT', `/v2/tags/${id}`, { name: 'Z\u00dcLU' })).toMatchObject({ name: 'Z\u00dcLU' })
  expect(await done('PUT', `/v2/tags/${id}`, { name: 'z\u00fclu' })).toMatchObject({ name: 'z\u00fclu' })
  expect((await call('POST', '/v2/tags', { name: 'ZU\u0308LU' })).status).toBe(400)
  await done('PUT', `/v2/tags/${id}`, { name: 'zulu' })
})

test('a document of a campaign gets the tags that exist in another spelling', async () => {
  const tags = spellings.map(({ other }) => other)
  const { document } = await exportedDocument()
  const { campaign, notes } = await done('POST', '/v2/campaigns/import', { document: { ...document, tags } })
  expect(notes).toEqual([])
  const given = new Set(spellings.map(({ name }) => ids.get(name)))
  expect(new Set(campaign.tagIds)).toEqual(given)
  expect((await readPages(100)).flat()).toEqual(names)
})

async function exportedDocument(): Promise<AnswerBody> {
  const { id } = await done('POST', '/v2/campaigns', { name: 'Source' })
  return { document: await done('GET', `/v2/campaigns/${id}/export`) }
}

test('an export of tags ends and has every tag once', async () => {
  const { id } = await done('POST', '/v2/exports', { tables: ['tags'], format: 'ndjson' })
  const now = await server.app.clocks.now(server.app.db, server.testTenant)
  await runDueJobs(server.app, server.testTenant, now, exportJobs())
  const { status, files } = await done('GET', `/v2/exports/${id}`)
  expect([status, files[0].rows]).toEqual(['completed', names.length])
})
