import { dayMs } from '@overture/ground/time/spans.ts'
import type { CompanySearchInput, PersonSearchInput } from '@overture/contract/lead-finder/lead-finder.ts'
import {
  canonicalDepartment,
  canonicalHeadcount,
  canonicalSeniority,
  revenueBound,
  type Department,
  type Seniority,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { dayBefore } from '@overture/people-index/records/filters.ts'
import { parseLocation } from '@overture/people-index/records/location.ts'
import { normaliseDomain } from '@overture/people-index/records/text.ts'

type Clause = Record<string, unknown>

const levels: Record<Seniority, string[]> = {
  c_suite: ['cxo'],
  director: ['director'],
  entry: ['entry'],
  founder_owner: ['owner'],
  head: ['director'],
  intern: ['training', 'unpaid'],
  manager: ['manager'],
  partner: ['partner'],
  senior: ['senior'],
  vp: ['vp'],
}
const roles: Record<Department, string[]> = {
  c_suite: [],
  consulting: ['advisory'],
  design: ['design'],
  education_coaching: ['education'],
  engineering_technical: ['engineering'],
  finance: ['finance'],
  human_resources: ['human_resources'],
  information_technology: ['engineering'],
  legal: ['legal'],
  marketing: ['marketing'],
  medical_health: ['health'],
  operations: ['operations'],
  product: ['product'],
  sales: ['sales'],
}

/** Filters on fields that its person records don't have. */
export const pdlCannotFilter = [
  'technology',
  'fundingStages',
  'hiringForTitles',
  'minJobPostings',
  'maxJobPostings',
  'minTimeInCompany',
  'maxTimeInCompany',
] as const

/** Our filters as an Elasticsearch query on the person fields of People Data Labs, whose values are lower case. */
export function pdlPersonQuery(input: PersonSearchInput, now: Date): Clause {
  const must = [
    ...text('job_title', input.jobTitle),
    ...text('job_company_name', input.companyName),
    ...term('job_company_website', input.domain && normaliseDomain(input.domain)),
    ...terms(
      'job_title_levels',
      input.seniority?.flatMap((value) => levels[canonicalSeniority(value)!]),
    ),
    ...departments(input.department),
    ...places(placeFields('location_'), input.personLocation),
    ...places(placeFields('job_company_location_'), input.companyLocation),
    ...terms('job_company_industry', input.industry),
    ...ranges('job_company_employee_count', input.headcountRange),
    ...between('inferred_years_experience', input.minYearsExperience, input.maxYearsExperience),
    ...between('job_company_inferred_revenue', lowest(input.minRevenue), highest(input.maxRevenue)),
    ...between('job_start_date', monthsAgo(now, input.maxTimeInRole, 1), monthsAgo(now, input.minTimeInRole)),
    ...jobChange(input.jobChangeRecent, now),
  ]
  return { bool: { must: must.length > 0 ? must : [{ exists: { field: 'id' } }] } }
}

export function pdlCompanyQuery(input: CompanySearchInput): Clause {
  const must = [
    ...text('name', input.companyName),
    ...term('website', input.domain && normaliseDomain(input.domain)),
    ...terms('industry', input.industry),
    ...places(placeFields('location.'), input.location),
    ...ranges('employee_count', input.headcountRange),
  ]
  return { bool: { must: must.length > 0 ? must : [{ exists: { field: 'id' } }] } }
}

interface PlaceFields {
  city: string
  state: string
  country: string
}

function placeFields(prefix: string): PlaceFields {
  return { city: `${prefix}locality`, state: `${prefix}region`, country: `${prefix}country` }
}

function text(field: string, value: string | undefined): Clause[] {
  return value ? [{ match: { [field]: value.toLowerCase() } }] : []
}

function term(field: string, value: string | undefined): Clause[] {
  return value ? [{ term: { [field]: value } }] : []
}

function terms(field: string, values: readonly string[] | undefined): Clause[] {
  return values?.length ? [{ terms: { [field]: values.map((value) => value.toLowerCase()) } }] : []
}

// The C-suite is a level there, not a role.
function departments(values: readonly string[] | undefined): Clause[] {
  const wanted = (values ?? []).map((value) => canonicalDepartment(value)!)
  const should = [
    ...terms(
      'job_title_role',
      wanted.flatMap((value) => roles[value]),
    ),
    ...terms('job_title_levels', wanted.includes('c_suite') ? levels.c_suite : []),
  ]
  return should.length > 1 ? [{ bool: { should } }] : should
}

function places(fields: PlaceFields, values: readonly string[] | undefined): Clause[] {
  const patterns = (values ?? []).flatMap(parseLocation)
  if (patterns.length === 0) return []
  const should = patterns.map(({ city, state, country }): Clause => {
    const must = [
      ...term(fields.city, city ?? undefined),
      ...term(fields.state, state ?? undefined),
      ...term(fields.country, country ?? undefined),
    ]
    return must.length === 1 ? must[0]! : { bool: { must } }
  })
  return [{ bool: { should } }]
}

function ranges(field: string, values: readonly string[] | undefined): Clause[] {
  if (!values?.length) return []
  const should = values
    .flatMap((value) => canonicalHeadcount(value) ?? [])
    .map((bucket) => {
      const [from, to] = bucket.split(/[-+]/)
      return { range: { [field]: to ? { gte: Number(from), lte: Number(to) } : { gt: Number(from) } } }
    })
  return [{ bool: { should } }]
}

function between(field: string, min: number | string | undefined, max: number | string | undefined): Clause[] {
  if (min === undefined && max === undefined) return []
  return [{ range: { [field]: { ...(min !== undefined && { gte: min }), ...(max !== undefined && { lte: max }) } } }]
}

function lowest(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : revenueBound(value)?.from
}

function highest(value: string | number | undefined): number | undefined {
  const to = value === undefined ? undefined : revenueBound(value)?.to
  return to === Infinity ? undefined : to
}

function monthsAgo(now: Date, months: number | undefined, more = 0): string | undefined {
  return months === undefined ? undefined : isoDay(dayBefore(now, months + more))
}

function jobChange(recent: PersonSearchInput['jobChangeRecent'], now: Date): Clause[] {
  if (recent === undefined || recent === false) return []
  const today = Math.floor(now.getTime() / dayMs)
  return between('job_start_date', isoDay(today - (recent === true ? 90 : recent)), undefined)
}

function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
