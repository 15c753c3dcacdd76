import { invisibleCharacterIn } from '@overture/contract/addresses.ts'
import {
  canonicalCompanyType,
  canonicalDepartment,
  canonicalFundingStage,
  canonicalHeadcount,
  canonicalSeniority,
  type CompanyType,
  type Department,
  type FundingStage,
  type Seniority,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { KnownCompanies } from './known-companies.ts'
import { Reader, type Row } from './row-reader.ts'
import { normalise, normaliseDomain } from '@overture/people-index/records/text.ts'

/** A company of the store. Null means unknown. */
export interface CompanyRecord {
  id: string
  name: string
  domain: string | null
  website: string | null
  logoUrl: string | null
  industry: string | null
  employeeCount: number | null
  country: string | null
  state: string | null
  city: string | null
  linkedinUrl: string | null
  founded: number | null
  revenue: number | null
  type: CompanyType | null
  technologies: string[]
  fundingStage: FundingStage | null
  jobPostings: number | null
  hiringTitles: string[]
}

/** A person of the store. Dates are `YYYY-MM-DD`. */
export interface PersonRecord {
  id: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  seniority: Seniority | null
  department: Department | null
  linkedinUrl: string | null
  country: string | null
  state: string | null
  city: string | null
  companyId: string | null
  email: string | null
  mobile: string | null
  yearsExperience: number | null
  roleStarted: string | null
  companyStarted: string | null
  rank: number
}

type ParsedRow =
  /** `company` is present if its data is new or changed. */
  | { kind: 'person'; person: PersonRecord; company: CompanyRecord | null }
  | { kind: 'company'; company: CompanyRecord }
  | { kind: 'bad'; reason: string }

/**
 * Parses a row of a file. Columns are People Data Labs' person and company fields, our own published names, or the names in
 * `mapping` (our name → the file's). A person needs an id (or a LinkedIn URL) and a name; a company needs a name.
 */
export function parseRow(
  row: Row,
  mapping: Readonly<Record<string, string>> = {},
  known: KnownCompanies | null = null,
): ParsedRow {
  const read = new Reader(row, mapping)
  const isPerson = read.has(
    'firstName',
    'first_name',
    'lastName',
    'last_name',
    'full_name',
    'job_title',
    'jobTitle',
    'personId',
  )
  return isPerson ? parsePerson(read, known) : parseCompany(read)
}

/** The static order of results: people with an email first, then by seniority, then by company size. */
export function personRank(person: Pick<PersonRecord, 'email' | 'seniority'>, employees: number | null): number {
  const level = person.seniority === null ? 0 : seniorityWeight[person.seniority]
  const size = Math.min(255, Math.round(Math.log2((employees ?? 0) + 1) * 12))
  return (person.email === null ? 0 : 1) * 8192 + level * 512 + size
}

const seniorityWeight: Record<Seniority, number> = {
  c_suite: 10,
  founder_owner: 9,
  partner: 8,
  vp: 7,
  head: 6,
  director: 5,
  manager: 4,
  senior: 3,
  entry: 2,
  intern: 1,
}

function parsePerson(read: Reader, known: KnownCompanies | null): ParsedRow {
  const linkedinUrl = url(read.text('linkedinUrl', 'linkedin_url'))
  const id = read.text('personId', 'id', 'pdl_id') ?? linkedinUrl
  const [first, ...others] = (read.text('fullName', 'full_name', 'name') ?? '').split(/\s+/)
  const firstName = title(read.text('firstName', 'first_name') ?? (first || null))
  const lastName = title(read.text('lastName', 'last_name') ?? (others.join(' ') || null))
  if (id === null) return bad('neither an id nor a LinkedIn URL')
  if (firstName === null && lastName === null) return bad('no name')
  const email = read.text('email', 'work_email', 'recommended_personal_email') ?? read.first('emails', 'address')
  if (email !== null && !isAddress(email)) return bad('not an email address')
  const { said: employer, company } = readCompany(read, known)
  const seniority = pick(read.list('seniority', 'job_title_levels'), canonicalSeniority)
  const person = {
    id,
    firstName,
    lastName,
    jobTitle: read.text('jobTitle', 'job_title'),
    seniority,
    department: pick(read.list('department', 'job_title_role'), canonicalDepartment),
    linkedinUrl,
    country: title(read.text('country', 'location_country')),
    state: title(read.text('state', 'location_region')),
    city: title(read.text('city', 'location_locality')),
    companyId: employer?.id ?? null,
    email: email?.toLowerCase() ?? null,
    mobile: read.text('mobile', 'mobile_phone') ?? read.first('phone_numbers', 'number'),
    yearsExperience: read.number('yearsExperience', 'inferred_years_experience'),
    roleStarted: date(read.text('roleStarted', 'job_start_date')),
    companyStarted: date(read.text('companyStarted', 'job_company_start_date', 'job_start_date')),
  }
  return { kind: 'person', person: { ...person, rank: personRank(person, employer?.employeeCount ?? null) }, company }
}

/** People of one company repeat its data, so unchanged data is neither parsed nor returned again. */
function readCompany(read: Reader, known: KnownCompanies | null) {
  if (known === null) {
    const company = personCompany(read)
    return { said: company, company }
  }
  const words = JSON.stringify(companyNames.map((names) => read.value(names)))
  const employer = known.find(words)
  if (employer !== undefined) return { said: employer, company: null }
  const company = personCompany(read)
  if (company !== null) known.add(words, company)
  return { said: company, company }
}

const ofCompany = {
  name: ['company', 'job_company_name'],
  domain: ['companyDomain', 'job_company_website'],
  id: ['companyId', 'job_company_id'],
  industry: ['companyIndustry', 'job_company_industry', 'industry'],
  employeeCount: ['employeeCount', 'job_company_employee_count'],
  employeeRange: ['employeeRange', 'job_company_size'],
  country: ['companyCountry', 'job_company_location_country'],
  state: ['companyState', 'job_company_location_region'],
  city: ['companyCity', 'job_company_location_locality'],
  linkedinUrl: ['companyLinkedinUrl', 'job_company_linkedin_url'],
  founded: ['companyFounded', 'job_company_founded'],
  revenue: ['companyRevenue', 'job_company_inferred_revenue'],
  type: ['companyType', 'job_company_type'],
  technologies: ['companyTechnologies'],
} as const
const companyNames = Object.values(ofCompany)

function personCompany(read: Reader): CompanyRecord | null {
  const name = read.text(...ofCompany.name)
  if (name === null) return null
  return {
    ...companyIdentity({ id: read.text(...ofCompany.id), name, domain: read.text(...ofCompany.domain) }),
    logoUrl: null,
    industry: title(read.text(...ofCompany.industry)),
    employeeCount: read.number(...ofCompany.employeeCount) ?? employees(read.text(...ofCompany.employeeRange)),
    country: title(read.text(...ofCompany.country)),
    state: title(read.text(...ofCompany.state)),
    city: title(read.text(...ofCompany.city)),
    linkedinUrl: url(read.text(...ofCompany.linkedinUrl)),
    founded: read.number(...ofCompany.founded),
    revenue: revenue(read.text(...ofCompany.revenue)),
    type: canonicalCompanyType(read.text(...ofCompany.type) ?? ''),
    technologies: read.list(...ofCompany.technologies),
    fundingStage: null,
    jobPostings: null,
    hiringTitles: [],
  }
}

function parseCompany(read: Reader): ParsedRow {
  const name = read.text('name', 'display_name', 'company')
  if (name === null) return bad('no name')
  const company = {
    ...companyIdentity({ id: read.text('companyId', 'id'), name, domain: read.text('domain', 'website') }),
    logoUrl: url(read.text('logoUrl', 'logo_url')),
    industry: title(read.text('industry')),
    employeeCount: read.number('employeeCount', 'employee_count') ?? employees(read.text('employeeRange', 'size')),
    country: title(read.text('country', 'location.country', 'location_country')),
    state: title(read.text('state', 'location.region', 'location_region')),
    city: title(read.text('city', 'location.locality', 'location_locality')),
    linkedinUrl: url(read.text('linkedinUrl', 'linkedin_url')),
    founded: read.number('founded'),
    revenue: revenue(read.text('revenue', 'inferred_revenue', 'annual_revenue')),
    type: canonicalCompanyType(read.text('type') ?? ''),
    technologies: read.list('technologies', 'tags'),
    fundingStage: canonicalFundingStage(read.text('fundingStage', 'latest_funding_stage') ?? ''),
    jobPostings: read.number('jobPostings', 'job_postings'),
    hiringTitles: read.list('hiringTitles', 'hiring_titles'),
  }
  return { kind: 'company', company }
}

/** The id of a company is the file's, else its domain, else its name. So the same company in two files becomes one row. */
function companyIdentity(input: { id: string | null; name: string; domain: string | null }) {
  const domain = normaliseDomain(input.domain ?? '') || null
  return {
    id: input.id ?? domain ?? normalise(input.name).replaceAll(' ', '-'),
    name: input.name,
    domain,
    website: domain === null ? null : `https://${domain}`,
  }
}

function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && invisibleCharacterIn(text) === null
}

function bad(reason: string): ParsedRow {
  return { kind: 'bad', reason }
}

function pick<Value>(texts: readonly string[], canonical: (text: string) => Value | null): Value | null {
  for (const text of texts) {
    const found = canonical(text)
    if (found !== null) return found
  }
  return null
}

// A bucket wider than ours gives at least its lower bound.
function employees(range: string | null): number | null {
  return canonicalHeadcount(range ?? '') === null ? null : Number.parseInt(range!.replaceAll(',', ''), 10)
}

function revenue(text: string | null): number | null {
  const found = /^\$?\s*([\d.]+)\s*([KMB])?/i.exec(text ?? '')
  if (!found) return null
  const unit = { k: 1e3, m: 1e6, b: 1e9 }[found[2]?.toLowerCase() ?? ''] ?? 1
  const dollars = Math.round(Number(found[1]) * unit)
  return Number.isSafeInteger(dollars) ? dollars : null
}

function date(text: string | null): string | null {
  const found = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(text ?? '')
  if (!found) return null
  const [, year = '', month = '01', day = '01'] = found
  // PostgreSQL accepts neither a day that its month doesn't have nor the year 0.
  const isDay = year !== '0000' && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  return isDay ? `${year}-${month}-${day}` : null
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  if (month < 1 || month > 12) return 0
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function url(text: string | null): string | null {
  if (text === null) return null
  return /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`
}

// People Data Labs writes everything in lower case.
function title(text: string | null): string | null {
  if (text === null || text !== text.toLowerCase()) return text
  if (/^[a-z]+$/.test(text)) return text.charAt(0).toUpperCase() + text.slice(1)
  return text.replace(/(^|[\s(/'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
