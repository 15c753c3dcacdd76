import { expect, test } from 'vitest'
import { personSearchInput } from '@overture/contract/lead-finder/lead-finder.ts'
import { pdlPersonQuery } from './pdl-query.ts'
import { prospeoPersonFilters } from './prospeo-filters.ts'

const now = new Date('2026-11-20T10:00:00Z')
const prospeo = (input: unknown) => prospeoPersonFilters(personSearchInput.parse(input))
const pdl = (input: unknown) => pdlPersonQuery(personSearchInput.parse(input), now)

test.each([
  [
    { seniority: ['vp', 'CXO', 'Founder/Owner', 'entry level'] },
    'person_seniority',
    { include: ['Vice President', 'C-Suite', 'Founder/Owner', 'Entry'] },
  ],
  [
    { department: ['HR', 'engineering', 'sales'] },
    'person_department',
    { include: ['Human Resources', 'Engineering & Technical', 'Sales'] },
  ],
  [{ headcountRange: ['11-50', '10001+'] }, 'company_headcount_range', ['11-20', '21-50', '10000+']],
  [
    { fundingStages: ['series_a', 'Series F', 'pre-seed', 'post_ipo_debt'] },
    'company_funding',
    { stage: ['Series A', 'Series E-J', 'Pre seed', 'Post IPO debt'] },
  ],
  [{ minRevenue: 1_500_000, maxRevenue: '10M' }, 'company_revenue', { min: '1M', max: '10M' }],
  [{ minRevenue: 0 }, 'company_revenue', { min: '<100K' }],
  [{ domain: 'https://www.Acme.example/about' }, 'company', { websites: { include: ['acme.example'] } }],
] as const)('Prospeo gets its own values: %j', (input, name, expected) => {
  expect(prospeo(input)[name]).toEqual(expected)
})

test('Prospeo gets no empty filters', () => {
  expect(prospeo({ seniority: [], hiringForTitles: [], domain: '', jobChangeRecent: false })).toEqual({})
})

const must = (...clauses: unknown[]) => ({ bool: { must: clauses } })

test('People Data Labs gets places by all their names and levels', () => {
  const country = { term: { location_country: 'united states' } }
  expect(pdl({ personLocation: ['US'] })).toEqual(
    must({ bool: { should: [{ term: { location_locality: 'us' } }, { term: { location_region: 'us' } }, country] } }),
  )
  expect(JSON.stringify(pdl({ personLocation: ['Austin, TX, USA'] }))).toContain(
    JSON.stringify(must({ term: { location_locality: 'austin' } }, { term: { location_region: 'texas' } }, country)),
  )
})

test('People Data Labs gets the C-suite as a level, next to roles', () => {
  const level = { terms: { job_title_levels: ['cxo'] } }
  expect(pdl({ department: ['c_suite'] })).toEqual(must(level))
  expect(pdl({ department: ['c_suite', 'sales'] })).toEqual(
    must({ bool: { should: [{ terms: { job_title_role: ['sales'] } }, level] } }),
  )
})
