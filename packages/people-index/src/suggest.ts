import type { SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import { splitPlace } from './place-index.ts'
import type { PersonSegment } from './person-segment.ts'
import { normalise } from './records/text.ts'

export interface Suggestion {
  value: string
  /** The number of people (for a location or title) or companies that have it. */
  count: number
}

interface Entry extends Suggestion {
  /** The text that the query is compared with. */
  subject: string
}

/** Created at the first query for a field, the most frequent values first. */
const entriesBySegment = new WeakMap<PersonSegment, Map<SuggestField, Entry[]>>()

/** Values of a field with a word that begins with the query, the most frequent first. */
export function suggest(
  segments: readonly PersonSegment[],
  request: { field: SuggestField; query: string; limit: number },
): Suggestion[] {
  const query = normalise(request.query)
  const [base, ...others] = segments.map((segment) => listEntries(segment, request.field))
  const found: Suggestion[] = []
  // Without a delta the entries are already in order, so the first matches are the result.
  const matchesMax = others.length === 0 ? request.limit : Infinity
  for (const { value, count, subject } of base ?? []) {
    if (found.length >= matchesMax) break
    if (matches(subject, query)) found.push({ value, count })
  }
  if (others.length === 0) return found
  const counts = new Map(found.map(({ value, count }) => [value, count]))
  for (const { value, count, subject } of others.flat()) {
    if (matches(subject, query)) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  return inOrder([...counts].map(([value, count]) => ({ value, count }))).slice(0, request.limit)
}

function inOrder<Item extends Suggestion>(items: Item[]): Item[] {
  return items.toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
}

// A place is found by its own name, not by the names of its state or country.
function searchedName(value: string, field: SuggestField): string {
  return field === 'location' ? value.slice(0, value.indexOf(',') >>> 0) : value
}

function matches(value: string, query: string): boolean {
  return query === '' || value.startsWith(query) || value.includes(` ${query}`)
}

function listEntries(segment: PersonSegment, field: SuggestField): Entry[] {
  let fields = entriesBySegment.get(segment)
  if (!fields) entriesBySegment.set(segment, (fields = new Map()))
  let entries = fields.get(field)
  if (!entries) {
    entries = inOrder(
      Array.from(countValues(segment, field), ([value, count]) => ({
        value,
        count,
        subject: normalise(searchedName(value, field)),
      })),
    )
    fields.set(field, entries)
  }
  return entries
}

function countValues(segment: PersonSegment, field: SuggestField): Map<string, number> {
  const { columns, dictionaries } = segment.data
  switch (field) {
    case 'industry':
      return count(columns.industry, (code) => [dictionaries.industries[code]!])
    case 'technology':
      return count(columns.technology, (code) => [dictionaries.technologies[code]!])
    case 'jobTitle':
      return count(columns.title, (code) => [dictionaries.titles[code]!])
    case 'location':
      return count(columns.personPlace, (code) => placeLevels(dictionaries.places[code]!))
    case 'companyName':
      return count(
        Uint32Array.from(dictionaries.companyNames, (_, company) => company),
        (company) => [dictionaries.companyNames[company]!],
      )
    default:
      return field satisfies never
  }
}

function count(codes: Uint32Array, print: (code: number) => string[]): Map<string, number> {
  const byCode = new Map<number, number>()
  for (const code of codes) byCode.set(code, (byCode.get(code) ?? 0) + 1)
  const byValue = new Map<string, number>()
  for (const [code, found] of byCode) {
    for (const value of print(code)) if (value !== '') byValue.set(value, (byValue.get(value) ?? 0) + found)
  }
  return byValue
}

/** A place counts for itself, its state and its country. */
function placeLevels(place: string): string[] {
  const { city, state, country } = splitPlace(place)
  const known = [city, state, country]
  return [
    ...new Set(
      known.map((_, index) =>
        known
          .slice(index)
          .filter((level) => level !== '')
          .join(', '),
      ),
    ),
  ]
}
