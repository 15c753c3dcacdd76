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
import { reader, type Reader, type Row } from './row-reader.ts'
import { normalise, normaliseDomain } from './text.ts'

/** A company of the store; null: not known. */
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
  | { kind: 'person'; person: PersonRecord; company: CompanyRecord | null }
  | { kind: 'company'; company: CompanyRecord }
  | { kind: 'bad'; reason: string }

/**
 * A row of a file: People Data Labs' person and company field names, our own published ones, or those that `mapping`
 * (our name → the file's) gives. A person needs an id (or a LinkedIn URL) and a name; a company a name.
 */
export function parseRow(row: Row, mapping: Readonly<Record<string, string>> = {}): ParsedRow {
  const read = reader(row, mapping)
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
  return isPerson ? parsePerson(read) : parseCompany(read)
}

/** Static order of results: people who can be written to, then the more senior, then those of larger companies. */
export function rankOf(person: Pick<PersonRecord, 'email' | 'seniority'>, employees: number | null): number {
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

function parsePerson(read: Reader): ParsedRow {
  const linkedinUrl = url(read.text('linkedinUrl', 'linkedin_url'))
  const id = read.text('personId', 'id', 'pdl_id') ?? linkedinUrl
  const [first, ...others] = (read.text('fullName', 'full_name', 'name') ?? '').split(/\s+/)
  const firstName = title(read.text('firstName', 'first_name') ?? (first || null))
  const lastName = title(read.text('lastName', 'last_name') ?? (others.join(' ') || null))
  if (id === null) return bad('no id and no LinkedIn URL')
  if (firstName === null && lastName === null) return bad('no name')
  const email = read.text('email', 'work_email', 'recommended_personal_email') ?? read.first('emails', 'address')
  if (email !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return bad('not an e-mail address')
  const company = personCompany(read)
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
    companyId: company?.id ?? null,
    email: email?.toLowerCase() ?? null,
    mobile: read.text('mobile', 'mobile_phone') ?? read.first('phone_numbers', 'number'),
    yearsExperience: read.number('yearsExperience', 'inferred_years_experience'),
    roleStarted: date(read.text('roleStarted', 'job_start_date')),
    companyStarted: date(read.text('companyStarted', 'job_company_start_date', 'job_start_date')),
  }
  return { kind: 'person', person: { ...person, rank: rankOf(person, company?.employeeCount ?? null) }, company }
}

function personCompany(read: Reader): CompanyRecord | null {
  const name = read.text('company', 'job_company_name')
  if (name === null) return null
  const domain = read.text('companyDomain', 'job_company_website')
  return {
    ...companyIdentity({ id: read.text('companyId', 'job_company_id'), name, domain }),
    logoUrl: null,
    industry: title(read.text('companyIndustry', 'job_company_industry', 'industry')),
    employeeCount:
      read.number('employeeCount', 'job_company_employee_count') ??
      employees(read.text('employeeRange', 'job_company_size')),
    country: title(read.text('companyCountry', 'job_company_location_country')),
    state: title(read.text('companyState', 'job_company_location_region')),
    city: title(read.text('companyCity', 'job_company_location_locality')),
    linkedinUrl: url(read.text('companyLinkedinUrl', 'job_company_linkedin_url')),
    founded: read.number('companyFounded', 'job_company_founded'),
    revenue: revenue(read.text('companyRevenue', 'job_company_inferred_revenue')),
    type: canonicalCompanyType(read.text('companyType', 'job_company_type') ?? ''),
    technologies: read.list('companyTechnologies'),
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

/** The id of a company is the file's, else its domain, else its name: the same company of two files is one row. */
function companyIdentity(input: { id: string | null; name: string; domain: string | null }) {
  const domain = normaliseDomain(input.domain ?? '') || null
  return {
    id: input.id ?? domain ?? normalise(input.name).replaceAll(' ', '-'),
    name: input.name,
    domain,
    website: domain === null ? null : `https://${domain}`,
  }
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

// A bucket wider than ours says at least its lower bound.
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
  const written = `${found[1]}-${found[2] ?? '01'}-${found[3] ?? '01'}`
  const ms = Date.parse(written)
  // A day that its month does not have is read as one of the next month, and refused by PostgreSQL, as the year 0 is.
  const isDay = !Number.isNaN(ms) && found[1] !== '0000' && new Date(ms).toISOString().startsWith(written)
  return isDay ? written : null
}

function url(text: string | null): string | null {
  if (text === null) return null
  return /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/+/, '')}`
}

// People Data Labs writes everything in lower case.
function title(text: string | null): string | null {
  if (text === null || text !== text.toLowerCase()) return text
  return text.replace(/(^|[\s(/'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
