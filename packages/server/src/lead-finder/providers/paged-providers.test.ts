import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companySearchResult, personSearchResult } from '@overture/contract/lead-finder/lead-finder.ts'
import { ProviderStub } from '@overture/testing/lead-finder/provider-stub.server.ts'

const stub = new ProviderStub()
const people = '/v2/campaigns/lead-finder/search'
const companies = '/v2/campaigns/lead-finder/search-company'
const revealPath = '/v2/campaigns/lead-finder/reveal'

beforeAll(() => stub.listen())
beforeEach(() => {
  stub.asked = []
})
afterAll(() => stub.stop())

describe('People Data Labs', () => {
  test('reads pages by scroll tokens, which are stored for later pages', async () => {
    const server = await stub.start('pdl')
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
    stub.respond = ({ body }) => {
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
    expect(stub.asked).toHaveLength(3)
    expect(stub.asked[0]).toMatchObject({ path: '/v5/person/search', body: { size: 25 } })
    expect(stub.asked[0]!.headers['x-api-key']).toBe('provider key')
    expect(JSON.stringify(stub.asked[0]!.body)).toContain('{"terms":{"job_title_levels":["vp"]}}')
    stub.asked = []
    await post(people, { seniority: ['vp'], headcountRange: ['51-200'], personLocation: ['Germany'], page: 4 })
    expect(stub.asked.map((call) => call.body['scroll_token'])).toEqual(['4'])
    stub.respond = () => ({ status: 404, body: { status: 404, error: { type: 'not_found' } } })
    expect((await post(companies, { companyName: 'nobody' })).body.results).toEqual([])
    expect((await post(revealPath, { personId: 'pdl:nobody', field: 'email' })).status).toBe(404)
    stub.respond = () => ({
      status: 200,
      body: { status: 200, data: { ...row('p1'), mobile_phone: '+4915112345678' } },
    })
    expect((await post(revealPath, { personId: 'pdl:p1', field: 'mobile' })).body).toMatchObject({
      value: '+4915112345678',
      creditsCharged: 10,
    })
    stub.respond = () => ({ status: 402, body: { status: 402 } })
    expect((await post(people, { domain: 'x.example' })).status).toBe(503)
  })
})

describe('pages that a search has to read in order', () => {
  test('count one by one against the budget, and are not read again', async () => {
    const server = await stub.start('pdl', 75)
    const post = (page: number) =>
      server.call('POST', people, { key: server.keys.live, body: { jobTitle: 'founder', page } })
    const units = async () =>
      (await server.app.db.query<{ units: number }>('select units from finder_provider_usage'))[0]!.units
    const page = ({ body }: { body: Record<string, unknown> }) => {
      const at = Number(body['scroll_token'] ?? 1)
      return { status: 200, body: { status: 200, data: [{ id: 'p' }], scroll_token: String(at + 1), total: 999 } }
    }
    stub.respond = (asked) => (stub.asked.length === 2 ? { status: 500, body: {} } : page(asked))
    expect((await post(2)).status).toBe(503)
    expect([stub.asked.length, await units()]).toEqual([2, 25])
    stub.respond = page
    const refused = await post(4)
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect([stub.asked.length, await units()]).toEqual([4, 75])
    await server.app.db.execute('update finder_provider_usage set units = 50')
    expect((await post(4)).status).toBe(200)
    expect([stub.asked.length, await units()]).toEqual([5, 75])
    expect((await server.app.db.query('select 1 from credit_reservations')).length).toBe(0)
  })
})

describe('Apollo', () => {
  test('sends parameters in the query string, and reads people and organizations', async () => {
    const server = await stub.start('apollo')
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
    stub.respond = ({ path }) =>
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
    const [call] = stub.asked
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
    stub.respond = () => ({ status: 200, body: { person: { id: 'a1', email: 'ada@acme.example' } } })
    expect((await post(revealPath, { personId: 'apollo:a1', field: 'email' })).body).toMatchObject({
      value: 'ada@acme.example',
      creditsCharged: 1,
    })
    stub.respond = () => ({ status: 422, body: {} })
    expect((await post(people, { jobTitle: 'x' })).status).toBe(503)
  })
})

describe.each([
  ['prospeo', {}],
  ['pdl', { technology: ['HubSpot'], minTimeInCompany: 3, maxJobPostings: 5 }],
  ['apollo', { jobChangeRecent: 90, fundingStages: ['seed'] }],
] as const)('%s', (provider, unknown) => {
  test("refuses filters that it doesn't support, and reports malformed responses as unavailable", async () => {
    const server = await stub.start(provider)
    const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.live, body })
    const refused = await post(people, { jobTitle: 'founder', ...unknown })
    const names = Object.keys(unknown).toSorted()
    if (names.length > 0) {
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(refused.body.error.details.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual(names)
      expect(stub.asked).toEqual([])
    }
    for (const body of [{}, { error: false, status: 200 }, 'not an object']) {
      stub.respond = () => ({ status: 200, body })
      const id = `${provider}:a`
      for (const [path, asked] of [
        [people, { jobTitle: 'founder' }],
        [companies, { companyName: 'acme' }],
        [revealPath, { personId: id, field: 'email' }],
      ] as const) {
        const answer = await post(path, asked)
        expect([answer.status, answer.body.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      }
    }
    expect((await server.app.db.query('select 1 from finder_reveals')).length).toBe(0)
    expect((await server.app.db.query('select 1 from credit_reservations')).length).toBe(0)
  })
})
