import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companySearchResult, personSearchResult } from '@overture/contract/lead-finder/lead-finder.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { readCreditHeaders, ProviderStub } from '@overture/testing/lead-finder/provider-stub.server.ts'

const stub = new ProviderStub()
const people = '/v2/campaigns/lead-finder/search'
const companies = '/v2/campaigns/lead-finder/search-company'
const revealPath = '/v2/campaigns/lead-finder/reveal'

beforeAll(() => stub.listen())
beforeEach(() => {
  stub.asked = []
})
afterAll(() => stub.stop())

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
    server = await stub.start('prospeo')
  })
  const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.live, body })

  test('maps filters and results, masks them, and charges once', async () => {
    stub.respond = () => ({ status: 200, body: prospeoPage })
    const body = {
      jobTitle: 'vp sales',
      seniority: ['vp'],
      personLocation: ['Germany'],
      minYearsExperience: 3,
      page: 1,
    }
    const answer = await post(people, body)
    expect(answer.status).toBe(200)
    expect(stub.asked[0]).toMatchObject({
      path: '/search-person',
      body: {
        page: 1,
        filters: {
          person_job_title: { include: ['vp sales'] },
          person_seniority: { include: ['Vice President'] },
          person_year_of_experience: { min: 3 },
        },
      },
    })
    expect(stub.asked[0]!.headers['x-key']).toBe('provider key')
    expect(answer.body.pagination).toEqual({ currentPage: 1, totalPages: 2, totalCount: 26 })
    const person = personSearchResult.parse(answer.body.results[0])
    expect(person).toMatchObject({
      personId: 'prospeo:p1',
      seniority: 'vp',
      emailMasked: 'a*****@acme.example',
      mobileMasked: '+49 *** *** **78',
    })
    expect(readCreditHeaders(answer)).toEqual(['1', '9999'])
    expect(readCreditHeaders(await post(people, body))).toEqual(['0', '9999'])
    const found = await post(companies, { companyName: 'acme' })
    expect(companySearchResult.parse(found.body.results[0])).toMatchObject({
      companyId: 'prospeo:c1',
      employeeRange: '21-50',
      type: 'private',
    })
  })

  test('returns an empty page for NO_RESULTS, 503 for other errors, and charges nothing', async () => {
    stub.respond = () => ({ status: 400, body: { error: true, error_code: 'NO_RESULTS' } })
    const empty = await post(people, { jobTitle: 'nobody' })
    expect([empty.status, empty.body.results, readCreditHeaders(empty)[0]]).toEqual([200, [], '0'])
    const before = readCreditHeaders(empty)[1]
    for (const [status, code] of [
      [400, 'INSUFFICIENT_CREDITS'],
      [401, 'INVALID_API_KEY'],
      [429, ''],
      [500, ''],
    ] as const) {
      stub.respond = () => ({ status, body: { error: true, error_code: code }, headers: { 'retry-after': '60' } })
      const answer = await post(people, { jobTitle: `trouble ${status}` })
      expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(answer.text).not.toContain('provider key')
    }
    stub.respond = () => ({ status: 400, body: { error: true, error_code: 'NO_RESULTS' } })
    expect(readCreditHeaders(await post(people, { jobTitle: 'nobody' }))[1]).toBe(before)
  })

  test('waits once for a short rate limit', async () => {
    stub.respond = () =>
      stub.asked.length === 1
        ? { status: 429, body: {}, headers: { 'retry-after': '0' } }
        : { status: 200, body: prospeoPage }
    expect((await post(people, { jobTitle: 'again' })).status).toBe(200)
    expect(stub.asked).toHaveLength(2)
  })

  test("reveals once, encrypts the value, and returns 404 for other providers' ids", async () => {
    stub.respond = () => ({
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
    expect(stub.asked).toHaveLength(1)
    const [row] = await server.app.db.query<{ value: Buffer }>('select value from finder_reveals')
    expect(row!.value.toString('latin1')).not.toContain('ada@')
    expect((await post(revealPath, { personId: 'prospeo:p1', field: 'mobile' })).body).toMatchObject({
      found: false,
      value: null,
      creditsCharged: 0,
    })
    expect((await post(revealPath, { personId: 'pdl:p1', field: 'email' })).status).toBe(404)
  })

  test('is never called with a test key', async () => {
    stub.respond = () => ({ status: 200, body: prospeoPage })
    await server.call('POST', revealPath, { key: server.keys.test, body: { personId: 'prospeo:p1', field: 'email' } })
    expect(stub.asked).toEqual([])
  })
})

describe('the monthly provider budget', () => {
  test("is a hard limit with 503, and failed calls don't count", async () => {
    const server = await stub.start('prospeo', 2)
    const post = (jobTitle: string) => server.call('POST', people, { key: server.keys.live, body: { jobTitle } })
    stub.respond = () => ({ status: 500, body: {} })
    for (let attempt = 0; attempt < 3; attempt++) expect((await post('x')).status).toBe(503)
    stub.respond = () => ({ status: 200, body: prospeoPage })
    expect((await post('a')).status).toBe(200)
    expect((await post('b')).status).toBe(200)
    stub.asked = []
    const refused = await post('c')
    expect([refused.status, refused.body.error.code, stub.asked.length]).toEqual([503, 'SERVICE_UNAVAILABLE', 0])
  })

  const countUnits = async (server: TestServer) =>
    (await server.app.db.query<{ units: number }>('select units from finder_provider_usage'))[0]!.units

  test("isn't used for unknown people, which are 404 any number of times", async () => {
    const server = await stub.start('prospeo', 10)
    stub.respond = () => ({ status: 400, body: { error: true, error_code: 'NO_MATCH' } })
    for (const personId of ['prospeo:a', 'prospeo:b', 'prospeo:b']) {
      const answer = await server.call('POST', revealPath, {
        key: server.keys.live,
        body: { personId, field: 'mobile' },
      })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect(await countUnits(server)).toBe(0)
  })

  test('is used once for a missing value, which is remembered for 30 days', async () => {
    const server = await stub.start('prospeo', 1000)
    const reveal = () =>
      server.call('POST', revealPath, { key: server.keys.live, body: { personId: 'prospeo:p9', field: 'mobile' } })
    const age = (days: number) =>
      server.app.db.execute(`update finder_reveals set revealed_at = now() - make_interval(days => $1)`, [days])
    stub.respond = () => ({ status: 200, body: { error: false, person: { mobile: {} } } })
    for (const days of [0, 29]) {
      await age(days)
      const missed = await reveal()
      expect(missed.body).toMatchObject({ found: false, value: null, creditsCharged: 0, alreadyRevealed: false })
      expect(readCreditHeaders(missed)).toEqual(['0', '10000'])
      expect([stub.asked.length, await countUnits(server)]).toEqual([1, 10])
    }
    await age(31)
    stub.respond = () => ({ status: 200, body: { error: false, person: { mobile: { mobile: '+4915112345678' } } } })
    const found = await reveal()
    expect(found.body).toMatchObject({ value: '+4915112345678', creditsCharged: 10, alreadyRevealed: false })
    expect((await reveal()).body).toMatchObject({ value: '+4915112345678', creditsCharged: 0, alreadyRevealed: true })
    expect([stub.asked.length, await countUnits(server)]).toEqual([2, 20])
  })
})
