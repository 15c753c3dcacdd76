import { isObject } from '@overture/ground/json/object.ts'
import {
  searchPageSize,
  type CompanySearchResult,
  type PersonSearchResult,
} from '@overture/contract/lead-finder/lead-finder.ts'
import type { Clock } from '../../platform/clock.ts'
import { pdlCannotFilter, pdlCompanyQuery, pdlPersonQuery } from './pdl-query.ts'
import { callProvider } from './provider-http.client.ts'
import {
  neededList,
  numberAt,
  ownId,
  ProviderError,
  textAt,
  type LeadProvider,
  type ProviderReveal,
  type ProviderPage,
} from './provider.ts'
import { parseRow, type CompanyRecord, type PersonRecord } from '../records/records.ts'
import { presentCompany, presentPerson } from '../records/results.ts'

const name = 'pdl'
/** The largest number of pages fetched to reach a page whose token is unknown. Each row of them costs a record. */
const walkPagesMax = 10

/** The tokens of pages. People Data Labs has no page numbers. */
interface ScrollTokens {
  find(query: string, page: number): Promise<string | null>
  save(query: string, page: number, token: string): Promise<void>
}

interface PdlOptions {
  apiKey: string
  baseUrl: string
  tokens: ScrollTokens
  clock: Clock
  /** Called before each further page on the way to the requested one, which costs as much as that one. */
  spend: (units: number) => Promise<void>
}

/** People Data Labs: `POST /v5/person/search` and `/v5/company/search`, `GET /v5/person/retrieve/:id`. Each record costs 1 unit. */
export function createPdl(options: PdlOptions): LeadProvider {
  return {
    name,
    cannotFilter: pdlCannotFilter,
    cannotReveal: [],
    countUnits: (call) => (call === 'search' ? searchPageSize : 1),
    async searchPeople(input) {
      const query = pdlPersonQuery(input, options.clock.now())
      return present(await search(options, { path: '/v5/person/search', query, page: input.page }), presentPdlPerson)
    },
    async searchCompanies(input) {
      const query = pdlCompanyQuery(input)
      return present(await search(options, { path: '/v5/company/search', query, page: input.page }), presentPdlCompany)
    },
    reveal: (personId, field) => reveal(options, personId, field),
  }
}

interface PdlSearch {
  path: string
  query: unknown
  page: number
}

/** Fetches pages from the last one with a known token up to the requested one. */
async function search(options: PdlOptions, { path, query, page }: PdlSearch): Promise<Record<string, unknown> | null> {
  const key = `${path} ${JSON.stringify(query)}`
  let at = page
  let token: string | null = null
  while (at > 1 && token === null) {
    token = await options.tokens.find(key, at)
    if (token === null) at -= 1
  }
  if (page - at >= walkPagesMax) throw new ProviderError('page out of reach', null)
  for (; ; at++) {
    const body = await fetchPage(options, { path, query, token })
    const next = textAt(body, 'scroll_token')
    if (next !== '') await options.tokens.save(key, at + 1, next)
    if (at === page || body === null || next === '') return at === page ? body : null
    token = next
    await options.spend(searchPageSize)
  }
}

async function fetchPage(options: PdlOptions, page: { path: string; query: unknown; token: string | null }) {
  const answer = await callProvider({
    url: `${options.baseUrl}${page.path}`,
    method: 'POST',
    headers: buildHeaders(options),
    body: { query: page.query, size: searchPageSize, ...(page.token !== null && { scroll_token: page.token }) },
  })
  if (answer.status === 404) return null
  if (answer.status !== 200) throw new ProviderError(`status ${answer.status}`, answer.status)
  return answer.body
}

async function reveal(options: PdlOptions, personId: string, field: 'email' | 'mobile'): Promise<ProviderReveal> {
  const answer = await callProvider({
    url: `${options.baseUrl}/v5/person/retrieve/${encodeURIComponent(personId)}`,
    method: 'GET',
    headers: buildHeaders(options),
  })
  if (answer.status === 404) return { outcome: 'unknown_person' }
  if (answer.status !== 200) throw new ProviderError(`status ${answer.status}`, answer.status)
  const row = isObject(answer.body['data']) ? answer.body['data'] : answer.body
  if (row === answer.body && row['id'] === undefined) throw new ProviderError('an answer of another form', 200)
  const parsed = parseRow({ ...row, id: personId })
  const value = parsed.kind === 'person' ? parsed.person[field] : null
  return value === null ? { outcome: 'none' } : { outcome: 'found', value }
}

function buildHeaders({ apiKey }: PdlOptions): Record<string, string> {
  return { 'x-api-key': apiKey }
}

function present<Result>(body: Record<string, unknown> | null, read: (row: unknown) => Result[]): ProviderPage<Result> {
  if (body === null) return { results: [], totalCount: 0 }
  return { results: neededList(body, 'data').flatMap(read), totalCount: numberAt(body, 'total') ?? 0 }
}

function presentPdlPerson(row: unknown): PersonSearchResult[] {
  const parsed = isObject(row) ? parseRow(row) : null
  if (parsed?.kind !== 'person') return []
  return [presentPerson(joined(parsed.person, parsed.company))]
}

function presentPdlCompany(row: unknown): CompanySearchResult[] {
  const parsed = isObject(row) ? parseRow(row) : null
  if (parsed?.kind !== 'company') return []
  return [presentCompany({ ...parsed.company, number: 0, id: ownId(name, parsed.company.id) })]
}

function joined(person: PersonRecord, company: CompanyRecord | null) {
  return {
    ...person,
    number: 0,
    id: ownId(name, person.id),
    company: company?.name ?? null,
    companyDomain: company?.domain ?? null,
    companyWebsite: company?.website ?? null,
    companyLogoUrl: company?.logoUrl ?? null,
    companyIndustry: company?.industry ?? null,
    companyEmployeeCount: company?.employeeCount ?? null,
    companyCountry: company?.country ?? null,
    companyCity: company?.city ?? null,
  }
}
