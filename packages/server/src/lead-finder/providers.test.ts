import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personSearchResult, companySearchResult } from '@overture/contract/lead-finder.ts'
import { startTestServer, type TestServer } from '../platform/testing/server.ts'
import { createLeadFinder, leadFinderRoutes, type LeadFinder } from './index.ts'

/** What a stub was asked. */
interface Asked {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}
type Answer = { status: number; body: unknown; headers?: Record<string, string> }

let stub: Server
let baseUrl: string
let asked: Asked[] = []
let respond: (asked: Asked) => Answer = () => ({ status: 500, body: {} })
const running: { server: TestServer; finder: LeadFinder }[] = []
const people = '/v2/campaigns/lead-finder/search'
const companies = '/v2/campaigns/lead-finder/search-company'
const revealPath = '/v2/campaigns/lead-finder/reveal'

beforeAll(async () => {
  stub = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  for (const { server, finder } of running) {
    await finder.stop()
    await server.stop()
  }
  await new Promise((resolve) => stub.close(resolve))
})

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://stub.test')
  const body = await text(request)
  const call = {
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: JSON.parse(body || '{}') as Record<string, unknown>,
  }
  asked.push(call)
  const answer = respond(call)
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(JSON.stringify(answer.body))
}

async function start(provider: 'prospeo' | 'pdl' | 'apollo', budget = 1000): Promise<TestServer> {
  let finder: LeadFinder | undefined
  const server = await startTestServer({
    environment: {
      OVERTURE_FINDER_PROVIDER: provider,
      OVERTURE_FINDER_MONTHLY_BUDGET: String(budget),
      [`${provider.toUpperCase()}_API_KEY`]: 'provider key',
      [`${provider.toUpperCase()}_BASE_URL`]: baseUrl,
    },
    routes: ({ app }) => leadFinderRoutes((finder = createLeadFinder({ app, databaseUrl: '', dataFolder: '/tmp' }))),
  })
  running.push({ server, finder: finder! })
  return server
}

const credits = (answer: { headers: Headers }) => [
  answer.headers.get('x-credits-charged'),
  answer.headers.get('x-credits-remaining'),
]

const prospeoPage = {
  error: false,
  results: [
    {
      person: {
        person_id: 'p1',
        first_name: 'Ada',
        last_name: 'Example',
        current_job_title: 'VP Sales',
        linkedin_url: 'https://www.linkedin.com/in/ada',
        job_history: [{ title: 'VP Sales', current: true, seniority: 'Vice President' }],
        location: { country: 'Germany', city: 'Berlin' },
        email: { status: 'VERIFIED', revealed: false, email: 'ada@acme.example' },
        mobile: { mobile: '+4915112345678' },
      },
      company: {
        company_id: 'c1',
        name: 'Acme',
        website: 'https://acme.example',
        domain: 'acme.example',
        industry: 'Retail',
        employee_count: 42,
        location: { country: 'Germany', city: 'Munich' },
        founded: 1999,
        type: 'Private',
        revenue_range_printed: '1M',
      },
    },
  ],
  pagination: { current_page: 1, per_page: 25, total_page: 2, total_count: 26 },
}

describe('Prospeo', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start('prospeo')
  }, 60_000)
  const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.live, body })

  it('maps filters and results, masks again, charges once', async () => {
    respond = () => ({ status: 200, body: prospeoPage })
    const body = {
      jobTitle: 'vp sales',
      seniority: ['vp'],
      personLocation: ['Germany'],
      minYearsExperience: 3,
      page: 1,
    }
    const answer = await post(people, body)
    expect(answer.status).toBe(200)
    expect(asked[0]).toMatchObject({
      path: '/search-person',
      body: {
        page: 1,
        filters: {
          person_job_title: { include: ['vp sales'] },
          person_seniority: { include: ['vp'] },
          person_year_of_experience: { min: 3 },
        },
      },
    })
    expect(asked[0]!.headers['x-key']).toBe('provider key')
    expect(answer.body.pagination).toEqual({ currentPage: 1, totalPages: 2, totalCount: 26 })
    const person = personSearchResult.parse(answer.body.results[0])
    expect(person).toMatchObject({
      personId: 'prospeo:p1',
      seniority: 'vp',
      emailMasked: 'a*****@acme.example',
      mobileMasked: '+49 *** *** **78',
    })
    expect(credits(answer)).toEqual(['1', '9999'])
    expect(credits(await post(people, body))).toEqual(['0', '9999'])
    const found = await post(companies, { companyName: 'acme' })
    expect(companySearchResult.parse(found.body.results[0])).toMatchObject({
      companyId: 'prospeo:c1',
      employeeRange: '21-50',
      type: 'private',
    })
  })

  it('answers an empty page for NO_RESULTS, 503 for its trouble, nothing charged', async () => {
    respond = () => ({ status: 400, body: { error: true, error_code: 'NO_RESULTS' } })
    const empty = await post(people, { jobTitle: 'nobody' })
    expect([empty.status, empty.body.results, credits(empty)[0]]).toEqual([200, [], '0'])
    const before = credits(empty)[1]
    for (const [status, code] of [
      [400, 'INSUFFICIENT_CREDITS'],
      [401, 'INVALID_API_KEY'],
      [429, ''],
      [500, ''],
    ] as const) {
      respond = () => ({ status, body: { error: true, error_code: code }, headers: { 'retry-after': '60' } })
      const answer = await post(people, { jobTitle: `trouble ${status}` })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(answer.text).not.toContain('provider key')
    }
    respond = () => ({ status: 400, body: { error: true, error_code: 'NO_RESULTS' } })
    expect(credits(await post(people, { jobTitle: 'nobody' }))[1]).toBe(before)
  })

  it('waits out a short rate limit once', async () => {
    respond = () =>
      asked.length === 1
        ? { status: 429, body: {}, headers: { 'retry-after': '0' } }
        : { status: 200, body: prospeoPage }
    expect((await post(people, { jobTitle: 'again' })).status).toBe(200)
    expect(asked).toHaveLength(2)
  })

  it('reveals once, keeps the value encrypted, and 404 for the ids of others', async () => {
    respond = () => ({
      status: 200,
      body: { error: false, person: { email: { email: 'ada@acme.example' }, mobile: {} } },
    })
    const first = await post(revealPath, { personId: 'prospeo:p1', field: 'email' })
    expect(first.body).toEqual({
      personId: 'prospeo:p1',
      field: 'email',
      found: true,
      value: 'ada@acme.example',
      creditsCharged: 1,
      alreadyRevealed: false,
    })
    const again = await post(revealPath, { personId: 'prospeo:p1', field: 'email' })
    expect(again.body).toEqual({ ...first.body, creditsCharged: 0, alreadyRevealed: true })
    expect(asked).toHaveLength(1)
    const [row] = await server.app.db.query<{ value: Buffer }>('select value from finder_reveals')
    expect(row!.value.toString('latin1')).not.toContain('ada@')
    expect((await post(revealPath, { personId: 'prospeo:p1', field: 'mobile' })).body).toMatchObject({
      found: false,
      value: null,
      creditsCharged: 0,
    })
    expect((await post(revealPath, { personId: 'pdl:p1', field: 'email' })).status).toBe(404)
  })

  it('is never asked by a test key', async () => {
    respond = () => ({ status: 200, body: prospeoPage })
    await server.call('POST', revealPath, { key: server.keys.test, body: { personId: 'prospeo:p1', field: 'email' } })
    expect(asked).toEqual([])
  })
})

describe('the monthly provider budget', () => {
  it('stops hard, with 503, and counts what failed as not used', async () => {
    const server = await start('prospeo', 2)
    const post = (jobTitle: string) => server.call('POST', people, { key: server.keys.live, body: { jobTitle } })
    respond = () => ({ status: 500, body: {} })
    for (let attempt = 0; attempt < 3; attempt++) expect((await post('x')).status).toBe(503)
    respond = () => ({ status: 200, body: prospeoPage })
    expect((await post('a')).status).toBe(200)
    expect((await post('b')).status).toBe(200)
    asked = []
    const refused = await post('c')
    expect([refused.status, refused.body.error.code, asked.length]).toEqual([503, 'SERVICE_UNAVAILABLE', 0])
  })
})

describe('People Data Labs', () => {
  it('pages by scroll tokens, kept for later pages', async () => {
    const server = await start('pdl')
    const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.live, body })
    const row = (id: string) => ({
      id,
      first_name: 'ada',
      last_name: 'example',
      job_title: 'vice president of sales',
      job_title_levels: ['vp'],
      location_country: 'germany',
      location_locality: 'berlin',
      work_email: 'ada@acme.example',
      job_company_name: 'acme',
      job_company_id: 'acme',
      job_company_website: 'acme.example',
      job_company_size: '51-200',
    })
    respond = ({ body }) => {
      const page = Number(body['scroll_token'] ?? 1)
      return { status: 200, body: { status: 200, data: [row(`p${page}`)], scroll_token: String(page + 1), total: 80 } }
    }
    const third = await post(people, {
      seniority: ['vp'],
      headcountRange: ['51-200'],
      personLocation: ['Germany'],
      page: 3,
    })
    expect(third.body.results[0]).toMatchObject({
      personId: 'pdl:p3',
      emailMasked: 'a*****@acme.example',
      seniority: 'vp',
    })
    expect(third.body.pagination).toEqual({ currentPage: 3, totalPages: 4, totalCount: 80 })
    expect(asked).toHaveLength(3)
    expect(asked[0]).toMatchObject({ path: '/v5/person/search', body: { size: 25 } })
    expect(asked[0]!.headers['x-api-key']).toBe('provider key')
    expect(JSON.stringify(asked[0]!.body)).toContain('{"terms":{"job_title_levels":["vp"]}}')
    asked = []
    await post(people, { seniority: ['vp'], headcountRange: ['51-200'], personLocation: ['Germany'], page: 4 })
    expect(asked.map((call) => call.body['scroll_token'])).toEqual(['4'])
    respond = () => ({ status: 404, body: { status: 404, error: { type: 'not_found' } } })
    expect((await post(companies, { companyName: 'nobody' })).body.results).toEqual([])
    expect((await post(revealPath, { personId: 'pdl:nobody', field: 'email' })).status).toBe(404)
    respond = () => ({ status: 200, body: { status: 200, data: { ...row('p1'), mobile_phone: '+4915112345678' } } })
    expect((await post(revealPath, { personId: 'pdl:p1', field: 'mobile' })).body).toMatchObject({
      value: '+4915112345678',
      creditsCharged: 10,
    })
    respond = () => ({ status: 402, body: { status: 402 } })
    expect((await post(people, { domain: 'x.example' })).status).toBe(503)
  }, 60_000)
})

describe('Apollo', () => {
  it('puts parameters in the query string and reads people and organizations', async () => {
    const server = await start('apollo')
    const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.live, body })
    const organization = {
      id: 'o1',
      name: 'Acme',
      primary_domain: 'acme.example',
      estimated_num_employees: 900,
      industry: 'retail',
      city: 'Austin',
      country: 'United States',
    }
    respond = ({ path }) =>
      path.endsWith('api_search')
        ? {
            status: 200,
            body: {
              people: [
                {
                  id: 'a1',
                  first_name: 'Ada',
                  last_name: 'E',
                  title: 'Founder',
                  seniority: 'founder',
                  email: 'email_not_unlocked@domain.com',
                  organization,
                },
              ],
              pagination: { page: 1, per_page: 25, total_entries: 1, total_pages: 1 },
            },
          }
        : { status: 200, body: { organizations: [organization], pagination: { total_entries: 1 } } }
    const answer = await post(people, {
      jobTitle: 'founder',
      seniority: ['founder_owner'],
      headcountRange: ['10000+', '11-50'],
      minRevenue: '1M',
    })
    expect(personSearchResult.parse(answer.body.results[0])).toMatchObject({
      personId: 'apollo:a1',
      seniority: 'founder_owner',
      emailMasked: '',
    })
    const [call] = asked
    expect(call!.path).toBe('/api/v1/mixed_people/api_search')
    expect(call!.query.getAll('person_seniorities[]')).toEqual(['founder', 'owner'])
    expect(call!.query.getAll('organization_num_employees_ranges[]')).toEqual(['10001,1000000', '11,20', '21,50'])
    expect(call!.query.get('revenue_range[min]')).toBe('1000000')
    const found = await post(companies, { location: ['Austin'] })
    expect(companySearchResult.parse(found.body.results[0])).toMatchObject({
      companyId: 'apollo:o1',
      location: 'Austin, United States',
      employeeRange: '501-1000',
    })
    respond = () => ({ status: 200, body: { person: { id: 'a1', email: 'ada@acme.example' } } })
    expect((await post(revealPath, { personId: 'apollo:a1', field: 'email' })).body).toMatchObject({
      value: 'ada@acme.example',
      creditsCharged: 1,
    })
    respond = () => ({ status: 422, body: {} })
    expect((await post(people, { jobTitle: 'x' })).status).toBe(503)
  }, 60_000)
})
