import { isObject } from '@overture/ground/json/object.ts'
import {
  searchPageSize,
  type CompanySearchInput,
  type CompanySearchResult,
  type PersonSearchInput,
  type PersonSearchResult,
} from '@overture/contract/lead-finder/lead-finder.ts'
import {
  canonicalDepartment,
  canonicalHeadcount,
  canonicalSeniority,
  toHeadcountRange,
  revenueBound,
  toRevenuePrinted,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { printPlace } from '@overture/people-index/records/location.ts'
import { maskEmail, maskMobile } from '../records/mask.ts'
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
  type ProviderReveal,
} from './provider.ts'
import { normaliseDomain } from '@overture/people-index/records/text.ts'

const name = 'apollo'
const seniorityNames: Record<string, string[]> = { founder_owner: ['founder', 'owner'] }
const lockedEmail = 'email_not_unlocked'

const cannotFilter: LeadProvider['cannotFilter'] = [
  'fundingStages',
  'jobChangeRecent',
  'minYearsExperience',
  'maxYearsExperience',
  'minTimeInRole',
  'maxTimeInRole',
  'minTimeInCompany',
  'maxTimeInCompany',
]

/**
 * Apollo expects parameters in the query string. Search is free; `POST /api/v1/people/match` is charged. Mobile numbers are sent
 * to a public webhook minutes later, so they can't be revealed here.
 */
export function createApollo(options: { apiKey: string; baseUrl: string }): LeadProvider {
  const post = async (path: string, parameters: URLSearchParams) => {
    const answer = await callProvider({
      url: `${options.baseUrl}${path}?${parameters.toString()}`,
      method: 'POST',
      headers: { 'x-api-key': options.apiKey },
    })
    if (answer.status !== 200) throw new ProviderError(`status ${answer.status}`, answer.status)
    return answer.body
  }
  return {
    name,
    cannotFilter,
    cannotReveal: ['mobile'],
    countUnits: (call) => (call === 'search' ? 0 : 1),
    async searchPeople(input) {
      const body = await post('/api/v1/mixed_people/api_search', personParameters(input))
      return { results: neededList(body, 'people').map(presentPerson), totalCount: readTotal(body) }
    },
    async searchCompanies(input) {
      const body = await post('/api/v1/mixed_companies/search', companyParameters(input))
      neededList(body, 'organizations', 'accounts')
      const found = [...listAt(body, 'organizations'), ...listAt(body, 'accounts')]
      return { results: found.map(presentCompany), totalCount: readTotal(body) }
    },
    async reveal(personId) {
      const parameters = new URLSearchParams({ id: personId, reveal_personal_emails: 'true' })
      return readReveal(await post('/api/v1/people/match', parameters))
    },
  }
}

function readReveal(body: Record<string, unknown>): ProviderReveal {
  if (body['person'] === null) return { outcome: 'unknown_person' }
  if (!isObject(body['person'])) throw new ProviderError('an answer of another form', 200)
  const value = textAt(body['person'], 'email')
  return value === '' || value.startsWith(lockedEmail) ? { outcome: 'none' } : { outcome: 'found', value }
}

function personParameters(input: PersonSearchInput): URLSearchParams {
  const parameters = companyParameters({ ...input, location: input.companyLocation })
  const seniorities = (input.seniority ?? []).map((value) => canonicalSeniority(value)!)
  append(parameters, 'person_titles[]', input.jobTitle ? [input.jobTitle] : [])
  append(
    parameters,
    'person_seniorities[]',
    seniorities.flatMap((value) => seniorityNames[value] ?? [value]),
  )
  append(parameters, 'person_locations[]', input.personLocation)
  append(
    parameters,
    'person_department_or_subdepartments[]',
    input.department?.map((value) => canonicalDepartment(value)!),
  )
  append(
    parameters,
    'currently_using_any_of_technology_uids[]',
    input.technology?.map((value) => value.toLowerCase().replace(/[ .]/g, '_')),
  )
  append(parameters, 'q_organization_job_titles[]', input.hiringForTitles)
  const bounds: [string, number | undefined][] = [
    ['revenue_range[min]', input.minRevenue === undefined ? undefined : revenueBound(input.minRevenue)?.from],
    ['revenue_range[max]', input.maxRevenue === undefined ? undefined : revenueBound(input.maxRevenue)?.to],
    ['organization_num_jobs_range[min]', input.minJobPostings],
    ['organization_num_jobs_range[max]', input.maxJobPostings],
  ]
  for (const [key, value] of bounds)
    if (value !== undefined && value !== Infinity) parameters.set(key, String(Math.floor(value)))
  return parameters
}

function companyParameters(
  input: Pick<CompanySearchInput, 'domain' | 'companyName' | 'industry' | 'headcountRange' | 'location' | 'page'>,
) {
  const parameters = new URLSearchParams({ page: String(input.page), per_page: String(searchPageSize) })
  if (input.companyName) parameters.set('q_organization_name', input.companyName)
  append(parameters, 'q_organization_domains_list[]', input.domain ? [normaliseDomain(input.domain)] : [])
  append(parameters, 'organization_locations[]', input.location)
  append(parameters, 'q_organization_keyword_tags[]', input.industry)
  const ranges = (input.headcountRange ?? []).flatMap((value) => canonicalHeadcount(value) ?? [])
  append(
    parameters,
    'organization_num_employees_ranges[]',
    ranges.map((range) => range.replace('10000+', '10001-1000000').replace('-', ',')),
  )
  return parameters
}

function append(parameters: URLSearchParams, key: string, values: readonly string[] | undefined): void {
  for (const value of values ?? []) parameters.append(key, value)
}

function readTotal(body: Record<string, unknown>): number {
  return numberAt(objectAt(body, 'pagination'), 'total_entries') ?? numberAt(body, 'total_entries') ?? 0
}

function presentPerson(person: unknown): PersonSearchResult {
  const company = presentCompany(objectAt(person, 'organization'))
  const email = textAt(person, 'email')
  const [phone] = listAt(person, 'phone_numbers')
  const seniority = textAt(person, 'seniority')
  return {
    personId: ownId(name, textAt(person, 'id')),
    firstName: textAt(person, 'first_name'),
    // A search without a credit gives the last name only in part.
    lastName: textAt(person, 'last_name', 'last_name_obfuscated'),
    jobTitle: textAt(person, 'title'),
    seniority: canonicalSeniority(seniority) ?? seniority,
    linkedinUrl: textAt(person, 'linkedin_url'),
    country: textAt(person, 'country'),
    city: textAt(person, 'city'),
    company: company.name,
    companyInfo: {
      name: company.name,
      domain: company.domain,
      website: company.website,
      logoUrl: company.logoUrl,
      industry: company.industry,
      employeeCount: company.employeeCount,
      employeeRange: company.employeeRange,
      country: textAt(objectAt(person, 'organization'), 'country'),
      city: textAt(objectAt(person, 'organization'), 'city'),
    },
    emailMasked: email.startsWith(lockedEmail) ? '' : maskEmail(email),
    mobileMasked: maskMobile(textAt(phone, 'sanitized_number', 'raw_number')),
  }
}

function presentCompany(company: unknown): CompanySearchResult {
  const employees = numberAt(company, 'estimated_num_employees')
  const revenue = numberAt(company, 'annual_revenue', 'organization_revenue')
  const domain = textAt(company, 'primary_domain')
  return {
    companyId: ownId(name, textAt(company, 'id')),
    name: textAt(company, 'name'),
    domain,
    website: textAt(company, 'website_url') || (domain && `https://${domain}`),
    logoUrl: textAt(company, 'logo_url') || null,
    industry: textAt(company, 'industry'),
    employeeCount: employees ?? 0,
    employeeRange: employees === null ? '' : toHeadcountRange(employees),
    location: printPlace(textAt(company, 'city'), textAt(company, 'country')),
    linkedinUrl: textAt(company, 'linkedin_url'),
    founded: numberAt(company, 'founded_year') ?? 0,
    revenuePrinted: revenue === null ? '' : toRevenuePrinted(revenue),
    type: textAt(company, 'publicly_traded_symbol') === '' ? '' : 'public',
  }
}
