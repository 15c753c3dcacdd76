import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtemp, rm, writeFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { setBalance } from '../credits/index.ts'
import {
  createLeadFinder,
  estimateReveal,
  leadFinderRoutes,
  loadPeopleFile,
  revealForLeads,
  type LeadFinder,
} from './index.ts'
import { findContacts } from './store/finder-store.sql.ts'

let server: TestServer
let database: TestDatabase
let finder: LeadFinder
let folder: string
const people = '/v2/campaigns/lead-finder/search'
const companies = '/v2/campaigns/lead-finder/search-company'
const revealPath = '/v2/campaigns/lead-finder/reveal'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'finder-'))
  database = await createTestDatabase()
  server = await startTestServer({
    database,
    routes: ({ app }) => {
      finder = createLeadFinder({ app, databaseUrl: database.url, dataFolder: folder })
      return leadFinderRoutes(finder)
    },
  })
})

afterAll(async () => {
  await finder.stop()
  await server.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

const post = (path: string, body: unknown, key = server.keys.test) => server.call('POST', path, { key, body })
const credits = (answer: { headers: Headers }) => [
  answer.headers.get('x-credits-charged'),
  answer.headers.get('x-credits-remaining'),
]

describe('people search over HTTP', () => {
  test('returns masked results with pagination and the charge', async () => {
    const answer = await post(people, {})
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).toSorted()).toEqual(['pagination', 'results'])
    expect(answer.body.pagination).toEqual({ currentPage: 1, totalPages: 400, totalCount: 10_000 })
    expect(answer.body.results).toHaveLength(25)
    for (const person of answer.body.results) {
      expect(person.emailMasked).toMatch(/^$|^.\*{5}@[a-z0-9-]+\.example$/)
      expect(person.mobileMasked).toMatch(/^$|^\+1 \*{3} \*{3} \*{2}\d\d$/)
    }
    expect(credits(answer)).toEqual(['1', '999'])
  })

  test('returns the same page again for free, also with filters in another form', async () => {
    const first = await post(people, { seniority: ['vp', 'C-Suite'], personLocation: ['Germany'] })
    const again = await post(people, {
      page: 1,
      personLocation: ['GERMANY'.toLowerCase()],
      seniority: ['c suite', 'VP', 'vp'],
    })
    expect(credits(first)[0]).toBe('1')
    expect(again.body).toEqual(first.body)
    const same = await post(people, { seniority: ['vp', 'C-Suite'], personLocation: ['Germany'] })
    expect(credits(same)[0]).toBe('0')
    expect(credits(await post(people, { seniority: ['vp', 'C-Suite'], personLocation: ['Germany'], page: 2 }))[0]).toBe(
      '1',
    )
  })

  test('charges one of many identical concurrent searches', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(people, { jobTitle: 'head of sales' })))
    expect(answers.filter((answer) => credits(answer)[0] === '1')).toHaveLength(1)
    expect(answers.filter((answer) => credits(answer)[0] === '0')).toHaveLength(7)
  })

  test('charges nothing for an empty page', async () => {
    const answer = await post(people, { domain: 'nobody.example' })
    expect(answer.body).toEqual({ results: [], pagination: { currentPage: 1, totalPages: 0, totalCount: 0 } })
    expect(credits(answer)[0]).toBe('0')
    expect(credits(await post(people, { page: 1000 }))[0]).toBe('0')
  })

  test('finds "Vice President of Sales" by "vp sales"', async () => {
    const answer = await post(people, { jobTitle: 'vp sales' })
    const titles = answer.body.results.map((person: { jobTitle: string }) => person.jobTitle)
    expect(titles.length).toBeGreaterThan(0)
    for (const title of titles) expect(title).toMatch(/sales/i)
  })

  test.each([
    [{ page: 0 }, 'page'],
    [{ page: 1001 }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ minYearsExperience: -1 }, 'minYearsExperience'],
    [{ maxYearsExperience: 61 }, 'maxYearsExperience'],
    [{ minYearsExperience: 10, maxYearsExperience: 3 }, 'minYearsExperience'],
    [{ seniority: ['boss'] }, 'seniority[0]'],
    [{ department: ['x'] }, 'department[0]'],
    [{ headcountRange: ['3-7'] }, 'headcountRange[0]'],
    [{ fundingStages: ['series z'] }, 'fundingStages[0]'],
    [{ minRevenue: 'lots' }, 'minRevenue'],
    [{ minRevenue: '5M', maxRevenue: '1M' }, 'minRevenue'],
    [{ industry: Array.from({ length: 21 }, () => 'x') }, 'industry'],
    [{ technology: Array.from({ length: 21 }, () => 'x') }, 'technology'],
    [{ minJobPostings: 5001 }, 'minJobPostings'],
    [{ minTimeInRole: 601 }, 'minTimeInRole'],
    [{ minTimeInCompany: 5, maxTimeInCompany: 4 }, 'minTimeInCompany'],
    [{ jobChangeRecent: 45 }, 'jobChangeRecent'],
    [{ hiringForTitles: [''] }, 'hiringForTitles[0]'],
    [{ unknown: 1 }, 'unknown'],
  ])('refuses %j on %s', async (body, path) => {
    const answer = await post(people, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })

  test('accepts 20 values per filter, and lists the allowed ones of an enumeration', async () => {
    expect((await post(people, { industry: Array.from({ length: 20 }, (_, index) => `x${index}`) })).status).toBe(200)
    const answer = await post(people, { seniority: ['boss'] })
    expect(JSON.stringify(answer.body)).toContain('founder_owner')
  })

  test('returns 402 with an empty balance, except for paid or empty pages', async () => {
    const tenant = server.other.tenant
    const test = { ...tenant, environment: 'test' as const }
    const key = server.other.keys.test
    await post(people, { jobTitle: 'founder' }, key)
    await server.app.db.transaction((tx) => setBalance(tx, test, { balance: 0 }))
    const refused = await post(people, { jobTitle: 'owner' }, key)
    expect([refused.status, refused.body.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS'])
    expect(credits(await post(people, { jobTitle: 'founder' }, key))).toEqual(['0', '0'])
    expect((await post(people, { domain: 'nobody.example' }, key)).status).toBe(200)
    const { body } = await post(people, { jobTitle: 'founder' }, key)
    const { personId } = body.results[0]
    expect((await post(revealPath, { personId, field: 'email' }, key)).status).toBe(402)
  })
})

describe('company search over HTTP', () => {
  test('finds a name with one typing error, best match first', async () => {
    const all = await post(companies, {})
    const { name } = all.body.results[0]
    const word = name.split(' ')[0]
    const typo = word.slice(0, 1) + word.slice(2)
    const answer = await post(companies, { companyName: name.replace(word, typo) })
    expect(answer.body.results.map((company: { name: string }) => company.name)).toContain(name)
    expect(Object.keys(answer.body.results[0])).toEqual([
      'companyId',
      'name',
      'domain',
      'website',
      'logoUrl',
      'industry',
      'employeeCount',
      'employeeRange',
      'location',
      'linkedinUrl',
      'founded',
      'revenuePrinted',
      'type',
    ])
  })
})

describe('reveal', () => {
  test('unmasks once for 1 or 10 credits, later for free; 404 for an unknown person', async () => {
    const { body } = await post(people, { seniority: ['director'] })
    const person = body.results.find(
      (result: { emailMasked: string; mobileMasked: string }) => result.emailMasked && result.mobileMasked,
    )
    const first = await post(revealPath, { personId: person.personId, field: 'email' })
    expect(first.body).toMatchObject({ found: true, creditsCharged: 1, alreadyRevealed: false })
    expect(first.body.value).toMatch(/@/)
    const again = await post(revealPath, { personId: person.personId, field: 'email' })
    expect(again.body).toEqual({ ...first.body, creditsCharged: 0, alreadyRevealed: true })
    expect(credits(again)[0]).toBe('0')
    expect((await post(revealPath, { personId: person.personId, field: 'mobile' })).body.creditsCharged).toBe(10)
    for (const personId of ['per_nobody', '', 'x'.repeat(5000)])
      expect((await post(revealPath, { personId, field: 'email' })).status).toBe(404)
  })

  test('returns found: false for free if there is no value', async () => {
    const answer = await post(revealPath, { personId: 'per_demo000007', field: 'email' })
    expect(answer.body).toEqual({
      personId: 'per_demo000007',
      field: 'email',
      found: false,
      value: null,
      creditsCharged: 0,
      alreadyRevealed: false,
    })
  })

  test('for leads stays within maxCredits and estimates the cost', async () => {
    const personIds = ['per_demo000100', 'per_demo000101', 'per_demo000102', 'per_demo000007', 'per_nobody']
    expect(await estimateReveal(finder, server.testTenant, personIds)).toEqual({ estimatedCredits: 3 })
    const result = await revealForLeads(finder, server.testTenant, { personIds, maxCredits: 2, now: new Date() })
    expect(result.creditsCharged).toBe(2)
    expect(result.refused).toEqual(
      new Map([
        ['per_demo000102', 'max_credits'],
        ['per_nobody', 'not_found'],
      ]),
    )
    expect(result.emails.get('per_demo000007')).toBeNull()
    expect(await estimateReveal(finder, server.testTenant, personIds)).toEqual({ estimatedCredits: 1 })
  })
})

/** Tables with the text in any column of any row, including events, jobs and stored responses. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await server.app.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await server.app.db.query(`select 1 from "${name}" t where t::text like $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('the live environment', () => {
  test('is 503 until people are loaded, and finds them within a second afterwards', async () => {
    const before = await post(people, {}, server.keys.live)
    expect([before.status, before.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const file = join(folder, 'people.jsonl')
    const rows = [
      {
        id: 'pdl1',
        first_name: 'maria',
        last_name: 'silva',
        job_title: 'vice president of sales',
        job_title_levels: ['vp'],
        job_title_role: 'sales',
        location_country: 'brazil',
        location_locality: 'são paulo',
        job_company_id: 'acme',
        job_company_name: 'acme gmbh',
        job_company_website: 'acme.example',
        job_company_size: '51-200',
        work_email: 'maria@acme.example',
        mobile_phone: '+5511987654321',
        inferred_years_experience: 12,
        job_start_date: '2020-03',
      },
      { id: 'pdl2', first_name: 'no', last_name: 'mail', job_company_name: 'acme gmbh', job_company_id: 'acme' },
      { first_name: 'bad' },
    ]
    await writeFile(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\nnot json\n`)
    const summary = await loadPeopleFile(server.app, file)
    expect(summary).toMatchObject({ rows: 4, peopleAdded: 2, companiesAdded: 1, bad: 2 })
    expect((await readFile(summary.badRowsPath!, 'utf8')).trim().split('\n')).toHaveLength(2)
    expect(await loadPeopleFile(server.app, file)).toMatchObject({
      peopleAdded: 0,
      peopleChanged: 0,
      companiesAdded: 0,
      companiesChanged: 0,
    })
    const found = await post(people, { personLocation: ['Sao Paulo, Brazil'], jobTitle: 'VP Sales' }, server.keys.live)
    expect(found.body.results).toHaveLength(1)
    expect(found.body.results[0]).toMatchObject({
      personId: 'pdl1',
      emailMasked: 'm*****@acme.example',
      mobileMasked: '+55 *** *** **21',
      company: 'acme gmbh',
    })
    expect(JSON.stringify(found.body)).not.toContain('maria@')
    expect(await tablesWith('maria@acme')).toEqual(['finder_people'])
    expect(await tablesWith('5511987654321')).toEqual(['finder_people'])
    // Values that PostgreSQL refuses must not stop the import of their file.
    const odd = join(folder, 'odd.jsonl')
    const values = { id: 'odd', first_name: 'a\0b', last_name: 'x\ud800', job_start_date: '2023-02-31' }
    const company = { name: 'Odd', id: 'odd', annual_revenue: '99999999999999B', technologies: ['a\0', '\udc00'] }
    await writeFile(odd, `${JSON.stringify(values)}\n${JSON.stringify(company)}\n`)
    expect(await loadPeopleFile(server.app, odd)).toMatchObject({ rows: 2, peopleAdded: 1, companiesAdded: 1, bad: 0 })
    const added = join(folder, 'more.csv')
    await writeFile(added, 'personId,Vorname,lastName,email,company\nc1,Ada,Example,ada@acme.example,Acme GmbH\n')
    await loadPeopleFile(server.app, added, { mapping: { firstName: 'Vorname' } })
    const all = await post(people, { companyName: 'acme' }, server.keys.live)
    expect(all.body.pagination.totalCount).toBe(3)
    const [contact] = await findContacts(server.app.db, 'live', ['c1'])
    expect(contact?.email).toBe('ada@acme.example')
    // Quotes in real files. A field that is never closed is one bad row and doesn't end the file.
    const quoted = join(folder, 'quoted.csv')
    await writeFile(quoted, 'personId,firstName\nq1,Robert "Bob" S\nq2,"5"" pipe"\nq3,"open\n')
    const read = await loadPeopleFile(server.app, quoted)
    expect(read).toMatchObject({ rows: 3, peopleAdded: 2, bad: 1 })
    expect(await readFile(read.badRowsPath!, 'utf8')).toContain('Quote Not Closed')
  })

  test('reads whole rows from pieces of any size, with any line end', async () => {
    const count = 3_000
    for (const [name, end] of Object.entries({ lf: '\n', crlf: '\r\n', cr: '\r' })) {
      const file = join(folder, `${name}.jsonl`)
      const rows = Array.from({ length: count }, (_, index) => ({
        id: `${name}-${index}`,
        first_name: `Zoë\u2028${'é'.repeat(index % 90)}`,
        job_company_name: `Société ${index % 7}`,
      }))
      await writeFile(file, rows.map((row) => JSON.stringify(row)).join(end))
      expect(await loadPeopleFile(server.app, file)).toMatchObject({ rows: count, peopleAdded: count, bad: 0 })
      expect(await loadPeopleFile(server.app, file)).toMatchObject({
        peopleAdded: 0,
        peopleChanged: 0,
        companiesChanged: 0,
      })
    }
  })
})

describe('suggest', () => {
  test('completes locations for a read key', async () => {
    const answer = await server.call('GET', '/v2/campaigns/lead-finder/suggest?field=location&q=germ', {
      key: server.keys.testRead,
    })
    expect(answer.body.results[0].value).toBe('Germany')
  })
})
