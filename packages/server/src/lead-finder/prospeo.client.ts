import type {
  CompanySearchInput,
  CompanySearchResult,
  PersonSearchInput,
  PersonSearchResult,
} from '@overture/contract/lead-finder.ts'
import { canonicalSeniority, headcountRangeOf, revenuePrintedOf } from '@overture/contract/lead-finder-vocabulary.ts'
import { printPlace } from './location.ts'
import { maskEmail, maskMobile } from './mask.ts'
import { callProvider } from './provider-http.client.ts'
import {
  isObject,
  listAt,
  numberAt,
  objectAt,
  ownId,
  ProviderError,
  textAt,
  type LeadProvider,
  type ProviderPage,
} from './provider.ts'

const name = 'prospeo'

/** Prospeo: `POST /search-person` and `/search-company`, 1 unit a page of 25; `POST /enrich-person`, 1 and 10. */
export function createProspeo(options: { apiKey: string; baseUrl: string }): LeadProvider {
  const post = async (path: string, body: unknown) => {
    const answer = await callProvider({
      url: `${options.baseUrl}${path}`,
      method: 'POST',
      headers: { 'x-key': options.apiKey },
      body,
    })
    const code = textAt(answer.body, 'error_code')
    if (answer.body['error'] !== true) return answer.body
    if (code === 'NO_RESULTS' || code === 'NO_MATCH') return null
    // Their code reaches our log, so it has to be one: never text that quotes a person.
    throw new ProviderError(/^[A-Z_]{1,40}$/.test(code) ? code : `status ${answer.status}`, answer.status)
  }
  return {
    name,
    unitsOf: (call) => (call === 'reveal_mobile' ? 10 : 1),
    async searchPeople(input) {
      return page(await post('/search-person', { page: input.page, filters: personFilters(input) }), presentPerson)
    },
    async searchCompanies(input) {
      return page(await post('/search-company', { page: input.page, filters: companyFilters(input) }), presentCompany)
    },
    async reveal(personId, field) {
      const body = await post('/enrich-person', { enrich_mobile: field === 'mobile', data: { person_id: personId } })
      if (body === null) return { outcome: 'unknown_person' }
      const person = objectAt(body, 'person')
      const value =
        field === 'email'
          ? textAt(objectAt(person, 'email'), 'email')
          : textAt(objectAt(person, 'mobile'), 'mobile_international', 'mobile')
      // A value that is still masked was not revealed.
      return value === '' || value.includes('*') ? { outcome: 'none' } : { outcome: 'found', value }
    },
  }
}

function personFilters(input: PersonSearchInput): Record<string, unknown> {
  return compact({
    ...companyFilters({ ...input, location: input.companyLocation }),
    person_job_title: input.jobTitle && { include: [input.jobTitle] },
    person_seniority: include(input.seniority),
    person_department: include(input.department),
    person_location_search: include(input.personLocation),
    company_technology: include(input.technology),
    company_funding: input.fundingStages?.length ? { stage: input.fundingStages } : undefined,
    company_revenue: between(input.minRevenue, input.maxRevenue),
    person_year_of_experience: between(input.minYearsExperience, input.maxYearsExperience),
    person_time_in_current_role: between(input.minTimeInRole, input.maxTimeInRole),
    person_time_in_current_company: between(input.minTimeInCompany, input.maxTimeInCompany),
    company_job_posting_quantity: between(input.minJobPostings, input.maxJobPostings),
    company_job_posting_hiring_for: input.hiringForTitles,
    person_job_change: input.jobChangeRecent && {
      timeframe_days: input.jobChangeRecent === true ? 90 : input.jobChangeRecent,
    },
  })
}

function companyFilters(
  input: Pick<CompanySearchInput, 'domain' | 'companyName' | 'industry' | 'headcountRange' | 'location'>,
) {
  const company = compact({
    names: input.companyName ? { include: [input.companyName] } : undefined,
    websites: input.domain ? { include: [input.domain] } : undefined,
  })
  return compact({
    company: Object.keys(company).length > 0 ? company : undefined,
    company_industry: include(input.industry),
    company_headcount_range: input.headcountRange?.length ? input.headcountRange : undefined,
    company_location_search: include(input.location),
  })
}

function page<Result>(body: Record<string, unknown> | null, present: (item: unknown) => Result): ProviderPage<Result> {
  if (body === null) return { results: [], totalCount: 0 }
  return {
    results: listAt(body, 'results').map(present),
    totalCount: numberAt(objectAt(body, 'pagination'), 'total_count') ?? 0,
  }
}

function presentPerson(item: unknown): PersonSearchResult {
  const person = objectAt(item, 'person')
  const company = presentCompany(item)
  const [job] = listAt(person, 'job_history').filter((entry) => isObject(entry) && entry['current'] === true)
  const location = objectAt(person, 'location')
  const headquarters = objectAt(objectAt(item, 'company'), 'location')
  return {
    personId: ownId(name, textAt(person, 'person_id', 'id')),
    firstName: textAt(person, 'first_name'),
    lastName: textAt(person, 'last_name'),
    jobTitle: textAt(person, 'current_job_title') || textAt(job, 'title'),
    seniority: canonicalSeniority(textAt(job, 'seniority')) ?? '',
    linkedinUrl: textAt(person, 'linkedin_url'),
    country: textAt(location, 'country'),
    city: textAt(location, 'city'),
    company: company.name,
    companyInfo: {
      name: company.name,
      domain: company.domain,
      website: company.website,
      logoUrl: company.logoUrl,
      industry: company.industry,
      employeeCount: company.employeeCount,
      employeeRange: company.employeeRange,
      country: textAt(headquarters, 'country'),
      city: textAt(headquarters, 'city'),
    },
    emailMasked: maskEmail(textAt(objectAt(person, 'email'), 'email')),
    mobileMasked: maskMobile(textAt(objectAt(person, 'mobile'), 'mobile_international', 'mobile')),
  }
}

function presentCompany(item: unknown): CompanySearchResult {
  const company = objectAt(item, 'company')
  const location = objectAt(company, 'location')
  const employees = numberAt(company, 'employee_count')
  const domain = textAt(company, 'domain')
  const revenue = numberAt(objectAt(company, 'revenue_range'), 'min')
  return {
    companyId: ownId(name, textAt(company, 'company_id', 'id')),
    name: textAt(company, 'name'),
    domain,
    website: textAt(company, 'website') || (domain && `https://${domain}`),
    logoUrl: textAt(company, 'logo_url') || null,
    industry: textAt(company, 'industry'),
    employeeCount: employees ?? 0,
    employeeRange: employees === null ? textAt(company, 'employee_range') : headcountRangeOf(employees),
    location: printPlace(textAt(location, 'city'), textAt(location, 'country')),
    linkedinUrl: textAt(company, 'linkedin_url'),
    founded: numberAt(company, 'founded') ?? 0,
    revenuePrinted: textAt(company, 'revenue_range_printed') || (revenue === null ? '' : revenuePrintedOf(revenue)),
    type: textAt(company, 'type').toLowerCase(),
  }
}

function include(values: readonly string[] | undefined) {
  return values?.length ? { include: values } : undefined
}

function between(min: unknown, max: unknown) {
  return min === undefined && max === undefined ? undefined : compact({ min, max })
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== false),
  )
}
