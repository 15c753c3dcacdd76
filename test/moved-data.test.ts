import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignJobs } from '@overture/server/campaigns/index.ts'
import { exportJobs } from '@overture/server/exports/index.ts'
import { listJobs } from '@overture/server/lists/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/moving-out.md, "Into another account". */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

/** The two environments share nothing but users, so the live one stands for another account. */
type Place = 'test' | 'live'
type Row = Record<string, string>

async function ask(place: Place, method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'text/csv' } : {}
  const answer = await server.call(method, path, {
    key: server.keys[place],
    headers,
    ...(body !== undefined && { body }),
  })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

async function runJobs(place: Place): Promise<void> {
  const { accountId } = server.testTenant
  const tenant = { accountId, environment: place }
  const now = await server.app.clocks.now(server.app.db, tenant)
  await runDueJobs(server.app, tenant, now, [...exportJobs(), ...listJobs(), ...campaignJobs()])
}

const tables = ['campaigns', 'tags', 'lists', 'list_members', 'people', 'leads'] as const
type Files = Record<(typeof tables)[number], Row[]>

async function exported(place: Place): Promise<Files> {
  const begun = await ask(place, 'POST', '/v2/exports', { tables, format: 'csv' })
  await runJobs(place)
  const { status, files } = await ask(place, 'GET', `/v2/exports/${begun.id}`)
  expect(status).toBe('completed')
  const headers = { authorization: `Bearer ${server.keys[place]}` }
  const read = async ({ table, url }: AnswerBody) => {
    const { pathname, search } = new URL(url)
    const text = await (await fetch(`${server.url}${pathname}${search}`, { headers })).text()
    return [table, parse(text, { columns: true, bom: true })]
  }
  return Object.fromEntries(await Promise.all(files.map(read))) as Files
}

/** The rows without what differs in another account: ids become names, and times are left out. */
function comparable({ campaigns, tags, lists, list_members: members, people, leads }: Files) {
  const names = new Map([...campaigns, ...tags, ...lists].map((row) => [row['id']!, row['name'] ?? row['document']!]))
  // The provider of a recipient is looked up by each account.
  const own = ['id', 'listId', 'campaignId', 'personId', 'recipientProvider', 'addedAt', 'createdAt', 'updatedAt']
  const fields = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name)))
  const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  const tagNames = (row: Row) => (JSON.parse(row['tagIds']!) as string[]).map((id) => names.get(id) ?? id).toSorted()
  return {
    campaigns: inOrder(campaigns.map(({ document }) => JSON.parse(document!) as object)),
    tags: inOrder(tags.map(fields)),
    lists: inOrder(lists.map(({ name, description, memberCount }) => ({ name, description, memberCount }))),
    members: inOrder(members.map((row) => ({ list: names.get(row['listId']!), ...fields(row) }))),
    people: inOrder(people.map((row) => ({ email: row['email'], tags: tagNames(row) }))),
    leads: inOrder(leads.map(fields)),
  }
}

async function fill(place: Place): Promise<void> {
  const friends = await ask(place, 'POST', '/v2/lists', { name: 'Friends', description: 'Of the "fair"' })
  const guests = await ask(place, 'POST', '/v2/lists', { name: 'Guests' })
  // The variable of the last member has no column of its own, since the first rows of the file lack it.
  const members = Array.from({ length: 620 }, (_, at) => ({
    email: `p${at}@moved.example.com`,
    firstName: at % 2 === 0 ? '=1+1' : 'Ünï "日本"; -1',
    trackingConsent: at % 3 === 0,
    customVariables: at < 619 ? { plan: 'gold' } : { late: '@x' },
  }))
  await ask(place, 'POST', `/v2/lists/${friends.id}/members`, { members })
  await ask(place, 'POST', `/v2/lists/${guests.id}/members`, { members: members.slice(0, 2) })
  const campaign = await ask(place, 'POST', '/v2/campaigns', { name: 'Spring' })
  await ask(place, 'POST', `/v2/campaigns/${campaign.id}/leads`, { leads: members.slice(0, 3) })
  const { results } = await ask(place, 'GET', '/v2/leads')
  for (const [name, ids] of [
    ['VIP', [campaign.id, results[0].id]],
    ['Trade fair, 2026', [campaign.id, results[0].id, results[1].id]],
  ] as const) {
    const tag = await ask(place, 'POST', '/v2/tags', { name })
    await ask(place, 'POST', `/v2/tags/${tag.id}/assign`, { ids })
  }
}

/** Moves the files as docs/moving-out.md says. */
async function moveIn(place: Place, files: Files): Promise<void> {
  for (const { id, name, description } of files.lists) {
    const list = await ask(place, 'POST', '/v2/lists', { name, description })
    const rows = files.list_members.filter(({ listId }) => listId === id)
    await ask(place, 'POST', `/v2/lists/${list.id}/import`, stringify(rows, { header: true }))
    await runJobs(place)
  }
  for (const { id, document } of files.campaigns) {
    const { campaign, notes } = await ask(place, 'POST', '/v2/campaigns/import', { document: JSON.parse(document!) })
    expect(notes).toEqual([])
    const rows = files.leads.filter(({ campaignId }) => campaignId === id)
    await ask(place, 'POST', `/v2/campaigns/${campaign.id}/leads/import`, stringify(rows, { header: true }))
    await runJobs(place)
  }
  const known = new Map((await ask(place, 'GET', '/v2/tags')).results.map((tag: AnswerBody) => [tag.name, tag.id]))
  for (const { id, name } of files.tags) {
    const tagId = known.get(name) ?? (await ask(place, 'POST', '/v2/tags', { name })).id
    const ids = files.people.filter(({ tagIds }) => tagIds!.includes(id!)).map(({ email }) => email!.toUpperCase())
    const { results } = await ask(place, 'POST', `/v2/tags/${tagId}/assign`, { ids })
    expect(results.map(({ outcome }: AnswerBody) => outcome)).toEqual(ids.map(() => 'changed'))
  }
}

test('lists, their members, tags and what has them are the same after an export and an import', async () => {
  await fill('test')
  const before = await exported('test')
  expect(before.list_members.some((row) => row['*']!.includes('late'))).toBe(true)
  await moveIn('live', before)
  const after = comparable(await exported('live'))
  expect(after).toEqual(comparable(before))
  expect([after.members.length, after.leads.length, after.tags.length]).toEqual([622, 3, 2])
  expect(after.campaigns[0]).toContain('"tags":["Trade fair, 2026","VIP"]')
})
