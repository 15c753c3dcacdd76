import { searchPageSize, type SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { CompanyFilters, PersonFilters, Range } from '@overture/people-index/records/filters.ts'
import type { SearchRequest } from '@overture/people-index/lead-index.ts'
import type { PlacePattern } from '@overture/people-index/records/location.ts'
import { suggestSeparator } from './open-search-documents.ts'
import { normalise } from '@overture/people-index/records/text.ts'

type Query = Record<string, unknown>

/** A word rarely has more neighbours at an edit distance of one, and a query may have 1,024 clauses. */
const expansionsMax = 1000
/** Shorter than the timeout of the call, so that the cluster stops working on a search that is no longer needed. */
const clusterTimeout = '15s'

/** A search in OpenSearch's form: with the exact total, 25 hits in result order, and only ids. */
export function searchBody({ kind, filters, page }: SearchRequest): Query {
  const filter = [...companyFilters(filters), ...(kind === 'people' ? personFilters(filters) : [])]
  const byName = filters.companyName ? { must: [closeness(filters.companyName)] } : {}
  return {
    query: { bool: { filter, ...byName } },
    sort: [...(filters.companyName ? [{ _score: 'desc' }] : []), { rank: 'desc' }, { number: 'asc' }],
    from: (page - 1) * searchPageSize,
    size: searchPageSize,
    track_total_hits: true,
    timeout: clusterTimeout,
    _source: false,
  }
}

const suggestSources: Record<SuggestField, { kind: 'people' | 'companies'; field: string }> = {
  industry: { kind: 'companies', field: 'suggestIndustry' },
  technology: { kind: 'companies', field: 'suggestTechnology' },
  companyName: { kind: 'companies', field: 'suggestCompanyName' },
  jobTitle: { kind: 'people', field: 'suggestJobTitle' },
  location: { kind: 'people', field: 'suggestLocation' },
}

/** Suggests values with a word that begins with the query. Keys are `value<separator>normalised`. */
export function suggestBody(question: { field: SuggestField; query: string; limit: number }) {
  const { kind, field } = suggestSources[question.field]
  const begins = `(|[^${suggestSeparator}]* )${normalise(question.query)}[^${suggestSeparator}]*`
  const terms = {
    field,
    size: question.limit,
    include: `[^${suggestSeparator}]*${suggestSeparator}${begins}`,
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  }
  return { kind, body: { size: 0, timeout: clusterTimeout, query: { match_all: {} }, aggs: { values: { terms } } } }
}

function personFilters(filters: PersonFilters): Query[] {
  return [
    ...(filters.title ?? []).map((word) => ({ term: { title: word } })),
    ...terms('seniority', filters.seniority),
    ...terms('department', filters.department),
    ...places('person', filters.personLocation),
    ...range('years', filters.years),
    ...range('roleDay', filters.roleStart),
    ...range('companyDay', filters.companyStart),
  ]
}

function companyFilters(filters: CompanyFilters): Query[] {
  return [
    ...(filters.domain === undefined ? [] : [{ term: { domain: filters.domain } }]),
    ...terms('industry', filters.industry),
    ...terms('headcount', filters.headcount),
    ...terms('technology', filters.technology),
    ...terms('funding', filters.funding),
    ...places('company', filters.companyLocation),
    ...range('revenue', filters.revenue),
    ...range('jobPostings', filters.jobPostings),
    ...(filters.hiringFor ? [hiring(filters.hiringFor)] : []),
  ]
}

function terms(field: string, values: readonly (string | number)[] | undefined): Query[] {
  return values ? [{ terms: { [field]: values } }] : []
}

function range(field: string, bounds: Range | undefined): Query[] {
  return bounds ? [{ range: { [field]: { gte: bounds.min, lte: bounds.max } } }] : []
}

function places(prefix: 'person' | 'company', patterns: readonly PlacePattern[] | undefined): Query[] {
  if (!patterns) return []
  return [
    any(
      patterns.map(({ city, state, country }) =>
        all([
          ...(city === null ? [] : [{ term: { [`${prefix}City`]: city } }]),
          ...(state === null ? [] : [{ term: { [`${prefix}State`]: state } }]),
          ...(country === null ? [] : [{ term: { [`${prefix}Country`]: country } }]),
        ]),
      ),
    ),
  ]
}

/** Matches companies with a job posting that contains every word of one of the titles. */
function hiring(titles: readonly string[][]): Query {
  return any(
    titles
      .filter((title) => title.length > 0)
      .map((title) => ({
        nested: { path: 'hiring', query: all(title.map((word) => ({ term: { 'hiring.word': word } }))) },
      })),
  )
}

/** The four tiers of closeness as scores 4 to 1. A company gets the score of the closest tier that it matches. */
function closeness(words: readonly string[]): Query {
  const exact = words.map((word) => ({ term: { companyWord: word } }))
  const like = (field: string) =>
    any(words.map((word, index) => all([...exact.filter((_, other) => other !== index), fuzzy(field, word)])))
  const edited = like('companyLongWord')
  const countIs = (count: number) => ({ term: { companyWordCount: count } })
  const asMany = countIs(words.length)
  // "Acme Gruop": a legal form is not part of a company name, but may be mistyped in a query of several words.
  const formEdited = words.length > 1 ? [like('companyLongForm')] : []
  const tiers = [
    any([{ term: { companyJoined: words.join('') } }, all([...exact, asMany])]),
    any([all([edited, asMany]), ...formEdited.map((form) => all([form, countIs(words.length - 1)]))]),
    all(exact),
    any([edited, ...formEdited]),
  ]
  return {
    dis_max: {
      tie_breaker: 0,
      queries: tiers.map((filter, index) => ({ constant_score: { filter, boost: tiers.length - index } })),
    },
  }
}

function fuzzy(field: string, value: string): Query {
  const bounds = { fuzziness: 1, prefix_length: 0, transpositions: true, max_expansions: expansionsMax }
  return { fuzzy: { [field]: { value, ...bounds } } }
}

function all(filter: Query[]): Query {
  return { bool: { filter } }
}

function any(should: Query[]): Query {
  return { bool: { should, minimum_should_match: 1 } }
}
