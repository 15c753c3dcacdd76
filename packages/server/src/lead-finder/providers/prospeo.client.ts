import { isObject } from '@overture/ground/json/object.ts'
import type { CompanySearchResult, PersonSearchResult } from '@overture/contract/lead-finder/lead-finder.ts'
import {
  canonicalSeniority,
  toHeadcountRange,
  toRevenuePrinted,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { printPlace } from '@overture/people-index/records/location.ts'
import { maskEmail, maskMobile } from '../records/mask.ts'
import { prospeoCompanyFilters, prospeoPersonFilters } from './prospeo-filters.ts'
import { callProvider } from './provider-http.client.ts'
import {
  listAt,
  neededList,
  numberAt,
  objectAt,
  ownId,
  ProviderError,
  textAt,
  type LeadProvider,
  type ProviderPage,
} from './provider.ts'

const name = 'prospeo'

/**
 * Prospeo: `POST /search-person` and `/search-company` cost 1 unit per page of 25. `POST /enrich-person` costs 1 for an email and
 * 10 for a mobile number.
 */
export function createProspeo(options: { apiKey: string; baseUrl: string }): LeadProvider {
  const post = async (path: string, body: unknown) => {
    const answer = await callProvider({
      url: `${options.baseUrl}${path}`,
      method: 'POST',
      headers: { 'x-key': options.apiKey },
      body,
    })
    const code = textAt(answer.body, 'error_code')
    if (answer.status === 200 && answer.body['error'] === false) return answer.body
    if (code === 'NO_RESULTS' || code === 'NO_MATCH') return null
    // The code is logged, so it must look like a code: a text could quote a person.
    throw new ProviderError(/^[A-Z_]{1,40}$/.test(code) ? code : `status ${answer.status}`, answer.status)
  }
  return {
    name,
    cannotFilter: [],
    cannotReveal: [],
    countUnits: (call) => (call === 'reveal_mobile' ? 10 : 1),
    async searchPeople(input) {
      return page(
        await post('/search-person', { page: input.page, filters: prospeoPersonFilters(input) }),
        presentPerson,
      )
    },
    async searchCompanies(input) {
      return page(
        await post('/search-company', { page: input.page, filters: prospeoCompanyFilters(input) }),
        presentCompany,
      )
    },
    async reveal(personId, field) {
      const body = await post('/enrich-person', { enrich_mobile: field === 'mobile', data: { person_id: personId } })
      if (body === null) return { outcome: 'unknown_person' }
      if (!isObject(body['person'])) throw new ProviderError('an answer of another form', 200)
      const person = body['person']
      const value =
        field === 'email'
          ? textAt(objectAt(person, 'email'), 'email')
          : textAt(objectAt(person, 'mobile'), 'mobile_international', 'mobile')
      // A value that is still masked was not revealed.
      return value === '' || value.includes('*') ? { outcome: 'none' } : { outcome: 'found', value }
    },
  }
}

function page<Result>(body: Record<string, unknown> | null, present: (item: unknown) => Result): ProviderPage<Result> {
  if (body === null) return { results: [], totalCount: 0 }
  return {
    results: neededList(body, 'results').map(present),
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
    employeeRange: employees === null ? textAt(company, 'employee_range') : toHeadcountRange(employees),
    location: printPlace(textAt(location, 'city'), textAt(location, 'country')),
    linkedinUrl: textAt(company, 'linkedin_url'),
    founded: numberAt(company, 'founded') ?? 0,
    revenuePrinted: textAt(company, 'revenue_range_printed') || (revenue === null ? '' : toRevenuePrinted(revenue)),
    type: textAt(company, 'type').toLowerCase(),
  }
}
