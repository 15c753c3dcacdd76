import type { CompanySearchInput, PersonSearchInput } from '@overture/contract/lead-finder/lead-finder.ts'
import {
  canonicalDepartment,
  canonicalFundingStage,
  canonicalHeadcount,
  canonicalSeniority,
  revenueBound,
  toRevenuePrinted,
  type Department,
  type FundingStage,
  type Seniority,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { normaliseDomain } from '@overture/people-index/records/text.ts'

// Prospeo's names, if they differ from ours with spaces and capitals.
const seniorityNames: Partial<Record<Seniority, string>> = {
  c_suite: 'C-Suite',
  founder_owner: 'Founder/Owner',
  vp: 'Vice President',
}
const departmentNames: Partial<Record<Department, string>> = {
  c_suite: 'C-Suite',
  education_coaching: 'Education & Coaching',
  engineering_technical: 'Engineering & Technical',
  human_resources: 'Human Resources',
  information_technology: 'Information Technology',
  medical_health: 'Medical & Health',
}
const fundingNames: Partial<Record<FundingStage, string>> = {
  post_ipo_debt: 'Post IPO debt',
  post_ipo_equity: 'Post IPO equity',
  post_ipo_secondary: 'Post IPO secondary',
  series_a: 'Series A',
  series_b: 'Series B',
  series_c: 'Series C',
  series_d: 'Series D',
  series_e_j: 'Series E-J',
}

/** Our filters in the terms of Prospeo's `POST /search-person`, which refuses other values for its closed lists. */
export function prospeoPersonFilters(input: PersonSearchInput): Record<string, unknown> {
  const stages = (input.fundingStages ?? []).map((value) => named(canonicalFundingStage(value)!, fundingNames))
  return compact({
    ...prospeoCompanyFilters({ ...input, location: input.companyLocation }),
    person_job_title: input.jobTitle && { include: [input.jobTitle] },
    person_seniority: include(input.seniority?.map((value) => named(canonicalSeniority(value)!, seniorityNames))),
    person_department: include(input.department?.map((value) => named(canonicalDepartment(value)!, departmentNames))),
    person_location_search: include(input.personLocation),
    company_technology: include(input.technology),
    company_funding: stages.length > 0 ? { stage: [...new Set(stages)] } : undefined,
    company_revenue: between(printed(input.minRevenue), printed(input.maxRevenue)),
    person_year_of_experience: between(input.minYearsExperience, input.maxYearsExperience),
    person_time_in_current_role: between(input.minTimeInRole, input.maxTimeInRole),
    person_time_in_current_company: between(input.minTimeInCompany, input.maxTimeInCompany),
    company_job_posting_quantity: between(input.minJobPostings, input.maxJobPostings),
    company_job_posting_hiring_for: input.hiringForTitles?.length ? input.hiringForTitles : undefined,
    person_job_change: input.jobChangeRecent && {
      timeframe_days: input.jobChangeRecent === true ? 90 : input.jobChangeRecent,
    },
  })
}

/** The same for `POST /search-company`. */
export function prospeoCompanyFilters(
  input: Pick<CompanySearchInput, 'domain' | 'companyName' | 'industry' | 'headcountRange' | 'location'>,
): Record<string, unknown> {
  const domain = normaliseDomain(input.domain ?? '')
  const company = compact({
    names: input.companyName ? { include: [input.companyName] } : undefined,
    websites: domain === '' ? undefined : { include: [domain] },
  })
  const buckets = (input.headcountRange ?? []).flatMap((value) => canonicalHeadcount(value) ?? [])
  return compact({
    company: Object.keys(company).length > 0 ? company : undefined,
    company_industry: include(input.industry),
    company_headcount_range: buckets.length > 0 ? [...new Set(buckets)] : undefined,
    company_location_search: include(input.location),
  })
}

function named<Value extends string>(value: Value, names: Partial<Record<Value, string>>): string {
  const words = value.replaceAll('_', ' ')
  return names[value] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

// Prospeo accepts only printed revenues, so a number is converted to its bucket.
function printed(value: string | number | undefined): string | undefined {
  const bound = value === undefined ? null : revenueBound(value)
  return bound === null ? undefined : toRevenuePrinted(bound.from)
}

function include(values: readonly string[] | undefined) {
  return values?.length ? { include: [...new Set(values)] } : undefined
}

function between(min: unknown, max: unknown) {
  return min === undefined && max === undefined ? undefined : compact({ min, max })
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== false),
  )
}
