import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importColumnsMax } from '@overture/contract/campaigns/imports.ts'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { fillPath, makeResources, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import type { TestServer } from '@overture/testing/server.ts'

let server: TestServer
let resources: Resources
let campaignId: string

const nasty = ['=1+1', '+49 30 1', '-1', '@x', '\tx', `a "b"; c,d\ne`, 'Ünï 日本 🎉', '1e5']
const total = 1_234

beforeAll(async () => {
  server = await startWholeServer()
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
  campaignId = (await call('POST', '/v2/campaigns', { name: '=cmd' })).body.id
  for (let from = 0; from < total; from += 1_000) {
    const leads = Array.from({ length: Math.min(1_000, total - from) }, (_, at) => ({
      email: `p${from + at}@prospects.test`,
      firstName: nasty[at % nasty.length],
      customVariables: from + at < 600 ? { plan: '=2' } : { late: true },
    }))
    await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads })
  }
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

async function file(path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${server.keys.test}`
  const response = await fetch(`${server.url}${path}`, { headers: { authorization, ...headers } })
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString(),
  }
}

const recordsOf = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[]

const lists = allEndpoints.filter(
  ({ query, outputType }) => outputType === undefined && query !== undefined && 'cursor' in (query as never)['shape'],
)

describe('every list can be downloaded as CSV', () => {
  test('there are lists', () => expect(lists.length).toBeGreaterThan(15))

  test.each(lists.map((endpoint) => [endpoint.path, endpoint] as const))('%s', async (_, endpoint) => {
    const path = fillPath(endpoint.path, resources)
    const json = await call('GET', `${path}?limit=100`)
    const { status, headers, text } = await file(path, { accept: 'text/csv' })
    expect(status).toBe(json.status)
    if (status !== 200) return expect(JSON.parse(text).error.code).toBe(json.body.error.code)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/)
    const rows = recordsOf(text)
    if (json.body.nextCursor === null) expect(rows).toHaveLength(json.body.results.length)
    for (const [at, item] of json.body.results.entries())
      if ('id' in item) expect([at, rows[at]?.['id']]).toEqual([at, item.id])
    expect(text.split('\n')[0]?.replace('\ufeff', '')).toMatch(/^[\w.,*"-]+$/)
  })
})

describe('a CSV file of a list', () => {
  test('contains the complete filtered list in its order, whatever page was requested', async () => {
    const { text } = await file(`/v2/campaigns/${campaignId}/leads?format=csv&page=7&limit=3`)
    const rows = recordsOf(text)
    expect(new Set(rows.map(({ email }) => email)).size).toBe(total)
    const some = recordsOf((await file(`/v2/campaigns/${campaignId}/leads?format=csv&q=p12`)).text)
    expect(some.map(({ email }) => email)).toEqual(
      rows.map(({ email }) => email).filter((email) => email?.includes('p12')),
    )
  })

  test("has the list's values by name, with formulas escaped", async () => {
    const rows = recordsOf((await file(`/v2/campaigns/${campaignId}/leads?format=csv`)).text)
    const { results } = (await call('GET', `/v2/campaigns/${campaignId}/leads?limit=100`)).body
    for (const [at, lead] of results.entries()) {
      const row = rows[at]!
      expect(row['firstName']?.replace(/^'(?=[=+\-@\t\r\n])/, '')).toBe(lead.firstName)
      expect([row['openCount'], row['interest'], row['createdAt']]).toEqual(['0', '', lead.createdAt])
      expect(row['customVariables.plan']).toBe("'=2")
    }
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    // Values that only later rows have are in the last column.
    expect(JSON.parse(rows.at(-1)?.['*'] ?? '')).toEqual({ 'customVariables.late': 'true' })
  })

  test('has no formula behind a semicolon of a list, and at most as many columns as an import takes', async () => {
    await call('POST', '/v2/templates', { name: 'Signs', subject: 'Hi', body: 'Hello', tags: ['x;=1+1'] })
    const { text } = await file('/v2/templates?format=csv')
    expect(text).not.toMatch(/;[=+\-@]/)
    expect(recordsOf(text).map((row) => JSON.parse(row['tags'] ?? '[]'))).toContainEqual(['x;=1+1'])
    const { id } = (await call('POST', '/v2/lists', { name: 'Wide' })).body
    const members = Array.from({ length: 300 }, (_, at) => ({
      email: `wide${at}@prospects.test`,
      customVariables: { [`v${at}`]: String(at) },
    }))
    for (const from of [0, 100, 200])
      expect((await call('POST', `/v2/lists/${id}/members`, { members: members.slice(from, from + 100) })).status).toBe(
        200,
      )
    const wide = recordsOf((await file(`/v2/lists/${id}/members?format=csv`)).text)
    expect(Object.keys(wide[0] ?? {})).toHaveLength(importColumnsMax)
    const variables = wide.map((row) => {
      const own = Object.keys(row).filter((name) => name.startsWith('customVariables.') && row[name] !== '')
      return own.length + Object.keys(JSON.parse(row['*'] || '{}') as object).length
    })
    expect(variables).toEqual(members.map(() => 1))
  })

  test('has its columns even if the list is empty', async () => {
    const { text } = await file(`/v2/campaigns/${campaignId}/leads?format=csv&q=no-such-lead`)
    expect(text).toMatch(/^\ufeffid,campaignId,email,firstName,/)
    expect(recordsOf(text)).toEqual([])
  })

  test('is refused like the list', async () => {
    expect((await file('/v2/campaigns/nothing/leads?format=csv')).status).toBe(404)
    expect((await file(`/v2/campaigns/${campaignId}/leads?format=xml`)).status).toBe(400)
    expect((await file(`/v2/campaigns/${campaignId}/leads?format=csv&surprise=1`)).status).toBe(400)
    const foreign = { authorization: `Bearer ${server.other.keys.test}` }
    expect((await file(`/v2/campaigns/${campaignId}/leads?format=csv`, foreign)).status).toBe(404)
  })

  test('can be opened by a link from our own pages only, in the named environment', async () => {
    const person = await createTestPerson(server)
    const follow = (query: string, headers: Record<string, string>) =>
      fetch(`${server.url}/v2/campaigns?${query}`, { headers: { cookie: person.cookie, ...headers } })
    const own = { 'sec-fetch-site': 'same-origin' }
    const answer = await follow('format=csv&environment=test', own)
    expect(answer.status).toBe(200)
    expect(recordsOf(await answer.text()).map(({ name }) => name)).toContain("'=cmd")
    const live = await follow('format=csv&environment=live', own)
    expect([live.status, recordsOf(await live.text())]).toEqual([200, []])
    expect((await follow('format=csv&environment=test', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await follow('environment=test', own)).status).toBe(400)
    expect((await follow('format=csv', own)).status).toBe(400)
  })
})
