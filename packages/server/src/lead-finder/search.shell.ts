import { dayMs } from '@overture/ground/time/spans.ts'
import { createHash } from 'node:crypto'
import type {
  CompanySearchInput,
  CompanySearchResult,
  PersonSearchInput,
  PersonSearchResult,
} from '@overture/contract/lead-finder/lead-finder.ts'
import { creditPrices } from '@overture/contract/accounts/credits.ts'
import { assertCanCharge, readBalance, charge, holdCredits, whileHeld, nothingHeld } from '../credits/index.ts'
import { invalid } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { Answer, GivenAnswer, RequestContext } from '../platform/http/route.ts'
import { companyFilters, personFilters } from '@overture/people-index/records/filters.ts'
import { findCompaniesByNumber, findPeopleByNumber } from './store/finder-store.sql.ts'
import { notConfigured, withinBudget, type LeadFinder, type LeadSource } from './finder.shell.ts'
import { claimSearch, hasPaidSearch, type SearchClaim } from './lead-finder.sql.ts'
import type { SearchRequest } from '@overture/people-index/lead-index.ts'
import type { LeadProvider, ProviderPage } from './providers/provider.ts'
import { presentCompany, presentPerson, searchPagination } from './records/results.ts'

const freeRepeatMs = dayMs

interface SearchResponse<Result> {
  results: Result[]
  pagination: { currentPage: number; totalPages: number; totalCount: number }
}

type PersonResponse = SearchResponse<PersonSearchResult>
type CompanyResponse = SearchResponse<CompanySearchResult>

/** The published operation 4.3. Charge and page are in one transaction. The same page again within 24 hours is free. */
export async function searchPeople(
  finder: LeadFinder,
  context: RequestContext,
  input: PersonSearchInput,
  answer: Answer<PersonResponse>,
): Promise<GivenAnswer<PersonResponse>> {
  return search(finder, context, {
    answer,
    page: input.page,
    reason: 'People search',
    claim: buildClaim(context, 'people', { ...personFilters(input, new Date(0)), page: input.page }),
    request: { kind: 'people', filters: personFilters(input, context.now), page: input.page },
    read: (tx, dataset, numbers) =>
      findPeopleByNumber(tx, dataset, numbers).then((rows) => inOrder(rows, numbers).map(presentPerson)),
    ask: (provider) => provider.searchPeople(input),
    filters: input,
  })
}

/** The published operation 4.4. */
export async function searchCompanies(
  finder: LeadFinder,
  context: RequestContext,
  input: CompanySearchInput,
  answer: Answer<CompanyResponse>,
): Promise<GivenAnswer<CompanyResponse>> {
  return search(finder, context, {
    answer,
    page: input.page,
    reason: 'Company search',
    claim: buildClaim(context, 'companies', { ...companyFilters(input), page: input.page }),
    request: { kind: 'companies', filters: companyFilters(input), page: input.page },
    read: (tx, dataset, numbers) =>
      findCompaniesByNumber(tx, dataset, numbers).then((rows) => inOrder(rows, numbers).map(presentCompany)),
    ask: (provider) => provider.searchCompanies(input),
    filters: {},
  })
}

interface Search<Result> {
  answer: Answer<SearchResponse<Result>>
  page: number
  reason: string
  claim: SearchClaim
  request: SearchRequest
  read: (tx: Transaction, dataset: 'demo' | 'live', numbers: number[]) => Promise<Result[]>
  ask: (provider: LeadProvider) => Promise<ProviderPage<Result>>
  /** The filters on people as they were sent. */
  filters: Partial<PersonSearchInput>
}

async function search<Result>(finder: LeadFinder, context: RequestContext, call: Search<Result>) {
  const source = await finder.source(context.tenant)
  switch (source.kind) {
    case 'local':
      return searchIndex(finder, context, { ...call, source })
    case 'remote':
      return searchProvider(context, { ...call, provider: source.provider })
    case 'none':
      // Credits are checked before the provider (docs/contract.md, "Conventions", order of checks).
      await assertCanCharge(context.app.db, context.tenant, pagePrice(call))
      throw notConfigured()
    default:
      return source satisfies never
  }
}

async function searchIndex<Result>(
  finder: LeadFinder,
  context: RequestContext,
  call: Search<Result> & { source: Extract<LeadSource, { kind: 'local' }> },
) {
  const { dataset, state } = call.source
  const found = await finder.index.search(dataset, state, call.request)
  return call.answer(async (tx) => {
    const results = await call.read(tx, dataset, found.numbers)
    setCreditHeaders(context, await payForPage(tx, context, { call, isEmpty: results.length === 0 }))
    // Clients can see whether people were loaded or erased between two pages, so that a row may be repeated or missing.
    context.setHeader('X-Search-State', `${state.generation.slice(0, 8)}-${found.version}`)
    return { results, pagination: searchPagination(call.page, found.totalCount) }
  })
}

async function searchProvider<Result>(context: RequestContext, call: Search<Result> & { provider: LeadProvider }) {
  const { app, tenant } = context
  assertFilters(call.provider, call.filters)
  const isFree = await hasPaidSearch(app.db, tenant, call.claim)
  const held = isFree ? nothingHeld(tenant) : await holdCredits(app.db, tenant, pagePrice(call))
  return whileHeld(app.db, held, async () => {
    const found = await withinBudget(app, { provider: call.provider, call: 'search' }, () => call.ask(call.provider))
    return call.answer(async (tx) => {
      const isDue = !isFree && found.results.length > 0 && (await claimSearch(tx, tenant, call.claim))
      if (!isDue) await held.release(tx)
      setCreditHeaders(context, await (isDue ? held : nothingHeld(tenant)).settle(tx, context.now))
      return { results: found.results, pagination: searchPagination(call.page, found.totalCount) }
    })
  })
}

// Without one of its filters, the page would not be the one that was requested and paid for.
function assertFilters({ cannotFilter }: LeadProvider, filters: Partial<PersonSearchInput>): void {
  const unknown = cannotFilter.filter((name) => {
    const value = filters[name]
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
  })
  if (unknown.length === 0) return
  const message = 'The configured people database does not support this filter.'
  throw invalid(...unknown.map((path) => ({ path, rule: 'unsupported', message })))
}

async function payForPage<Result>(
  tx: Transaction,
  context: RequestContext,
  page: { call: Search<Result>; isEmpty: boolean },
): Promise<{ charged: number; balance: number }> {
  const { tenant, now } = context
  const isDue = !page.isEmpty && (await claimSearch(tx, tenant, page.call.claim))
  if (!isDue) return { charged: 0, balance: await readBalance(tx, tenant) }
  return charge(tx, tenant, { ...pagePrice(page.call), now })
}

function pagePrice(call: { reason: string; claim: SearchClaim }) {
  return {
    amount: creditPrices.searchPage,
    reason: call.reason,
    reference: call.claim.digest.toString('hex').slice(0, 16),
    leadCredits: true,
  }
}

/**
 * Both headers are on every 200, even if they are `0` (docs/contract.md, "AI and credits"). They are set within the transaction
 * of the response, so a replay has them too.
 */
export function setCreditHeaders(context: RequestContext, cost: { charged: number; balance: number }): void {
  context.setHeader('X-Credits-Charged', String(cost.charged))
  context.setHeader('X-Credits-Remaining', String(cost.balance))
}

// The digest contains the request without the date, so a filter that counts back from today is the same search tomorrow. Credits
// use real time.
function buildClaim(context: RequestContext, kind: string, request: object): SearchClaim {
  const now = context.app.clock.now()
  return {
    digest: createHash('sha256')
      .update(`${kind} ${JSON.stringify(request)}`)
      .digest(),
    now,
    freeSince: new Date(now.getTime() - freeRepeatMs),
  }
}

function inOrder<Row extends { number: number }>(rows: readonly Row[], numbers: readonly number[]): Row[] {
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}
