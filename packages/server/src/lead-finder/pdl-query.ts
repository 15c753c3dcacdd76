import type { CompanySearchInput, PersonSearchInput } from '@overture/contract/lead-finder.ts'
import {
  canonicalDepartment,
  canonicalHeadcount,
  canonicalSeniority,
  revenueBound,
  type Department,
  type Seniority,
} from '@overture/contract/lead-finder-vocabulary.ts'
import { dayBefore } from './filters.ts'
import { normaliseDomain } from './text.ts'

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

/** Our filters as an Elasticsearch query over People Data Labs' person fields (their values are lower case). */
export function pdlPersonQuery(input: PersonSearchInput, now: Date): Clause {
  const must = [
    ...text('job_title', input.jobTitle),
    ...text('job_company_name', input.companyName),
    ...term('job_company_website', input.domain && normaliseDomain(input.domain)),
    ...terms(
      'job_title_levels',
      input.seniority?.flatMap((value) => levels[canonicalSeniority(value)!]),
    ),
    ...terms(
      'job_title_role',
      input.department?.flatMap((value) => roles[canonicalDepartment(value)!]),
    ),
    ...places(['location_locality', 'location_region', 'location_country'], input.personLocation),
    ...places(
      ['job_company_location_locality', 'job_company_location_region', 'job_company_location_country'],
      input.companyLocation,
    ),
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
    ...places(['location.locality', 'location.region', 'location.country'], input.location),
    ...ranges('employee_count', input.headcountRange),
  ]
  return { bool: { must: must.length > 0 ? must : [{ exists: { field: 'id' } }] } }
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

function places(fields: [string, string, string], values: readonly string[] | undefined): Clause[] {
  if (!values?.length) return []
  const should = values.flatMap((value): Clause[] => {
    const parts = value
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
    if (parts.length === 1) return fields.map((field) => ({ term: { [field]: parts[0] } }))
    const pairs =
      parts.length === 2
        ? [
            [fields[0], fields[1]],
            [fields[0], fields[2]],
          ]
        : []
    return [...pairs, fields.slice(-parts.length)].map((names) => ({
      bool: { must: names.map((field, index) => ({ term: { [field!]: parts[index] } })) },
    }))
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
  const today = Math.floor(now.getTime() / 86_400_000)
  return between('job_start_date', isoDay(today - (recent === true ? 90 : recent)), undefined)
}

function isoDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}
