/** Evaluates the part of OpenSearch's query language that the adapter uses on one document. Throws on anything else. */
export type Document = Record<string, unknown>
export type Query = Record<string, unknown>

export function matches(query: Query, source: Document): boolean {
  const [[kind, written], ...others] = Object.entries(query) as [[string, Record<string, unknown>]]
  if (others.length > 0) throw new Error('a query has one kind')
  switch (kind) {
    case 'match_all':
      return true
    case 'bool':
      return matchesBool(written, source)
    case 'term': {
      const [field, value] = only(written)
      return valuesAt(source, field).includes(value)
    }
    case 'terms': {
      const [field, values] = only(written)
      return valuesAt(source, field).some((value) => (values as unknown[]).includes(value))
    }
    case 'range': {
      const [field, bounds] = only(written) as [string, { gte: number; lte: number }]
      return valuesAt(source, field).some((value) => Number(value) >= bounds.gte && Number(value) <= bounds.lte)
    }
    case 'fuzzy': {
      const [field, { value, fuzziness }] = only(written) as [string, { value: string; fuzziness: number }]
      return valuesAt(source, field).some((word) => distance(value, String(word)) <= fuzziness)
    }
    case 'nested': {
      const { path, query: inner } = written as { path: string; query: Query }
      return ((source[path] ?? []) as Document[]).some((item) => matches(inner, prefixed(path, item)))
    }
    case 'constant_score':
      return matches(written['filter'] as Query, source)
    case 'dis_max':
      return (written['queries'] as Query[]).some((each) => matches(each, source))
    default:
      throw new Error(`no query ${kind}`)
  }
}

/** The score of a matching document; filters don't add to the score. */
export function computeScore(query: Query, source: Document): number {
  const [[kind, written]] = Object.entries(query) as [[string, Record<string, unknown>]]
  switch (kind) {
    case 'bool':
      return ((written['must'] ?? []) as Query[]).reduce((sum, each) => sum + computeScore(each, source), 0)
    case 'dis_max':
      return Math.max(0, ...(written['queries'] as Query[]).map((each) => computeScore(each, source)))
    case 'constant_score':
      return matches(written['filter'] as Query, source) ? Number(written['boost']) : 0
    default:
      return 0
  }
}

function matchesBool(written: Record<string, unknown>, source: Document): boolean {
  const list = (name: string) => (written[name] ?? []) as Query[]
  const every = [...list('filter'), ...list('must')].every((each) => matches(each, source))
  if (written['should'] === undefined) return every
  // OpenSearch requires a match even from an empty `should` if `minimum_should_match` is 1.
  const found = list('should').filter((each) => matches(each, source)).length
  return every && found >= Number(written['minimum_should_match'] ?? 0)
}

function only(written: Record<string, unknown>): [string, unknown] {
  const entries = Object.entries(written)
  if (entries.length !== 1) throw new Error('one field per query')
  return entries[0]!
}

// OpenSearch doesn't index null values.
function valuesAt(source: Document, field: string): unknown[] {
  return [source[field] ?? []].flat()
}

function prefixed(path: string, item: Document): Document {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [`${path}.${name}`, value]))
}

/** The number of insertions, deletions, substitutions and swaps of neighboring letters between two words. */
function distance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= left.length; row++) {
    rows.push([row])
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? rows[row - 2]![column - 2]! + 1 : Infinity,
      )
    }
  }
  return rows[left.length]![right.length]!
}
