import { searchPageSize } from '@overture/contract/lead-finder/lead-finder.ts'
import { isObject } from '@overture/ground/json/object.ts'
import { listAt, numberAt, objectAt, ProviderError, textAt } from '../providers/provider.ts'
import type { SearchAnswer } from '@overture/people-index/lead-index.ts'
import type { Suggestion } from '@overture/people-index/suggest.ts'
import { suggestSeparator } from './open-search-documents.ts'

type Answer = Record<string, unknown> | null

/** The requested index doesn't exist (any more). A reload may have replaced it. */
export class IndexGoneError extends ProviderError {
  constructor(message: string) {
    super(message, null)
    this.name = 'IndexGoneError'
  }
}

/** The version of the store that an index contains, as recorded in the index itself. */
export interface IndexStamp {
  version: number
  generation: string
  form: number
  /** Milliseconds since 1970. */
  madeAt: number
}

const goneReasons = ['index_not_found_exception', 'no_shard_available_action_exception', 'shard_not_found_exception']

/** The numbers of one page and the total. Throws if the page can't belong to such a total. */
export function readSearch(answer: Answer, page: number): SearchAnswer {
  assertWhole(answer)
  const hits = objectAt(answer, 'hits')
  const total = objectAt(hits, 'total')
  const totalCount = countAt(total, 'value')
  if (textAt(total, 'relation') !== 'eq') throw new ProviderError('a total that is only a bound', null)
  const numbers = listAt(hits, 'hits').map((hit) => parseNumber(textAt(hit, '_id')))
  const expected = Math.max(0, Math.min(searchPageSize, totalCount - (page - 1) * searchPageSize))
  if (numbers.length !== expected) throw new ProviderError('a page of another length than its total', null)
  return { numbers, totalCount }
}

export function readSuggestions(answer: Answer, limit: number): Suggestion[] {
  assertWhole(answer)
  const buckets = objectAt(objectAt(answer, 'aggregations'), 'values')['buckets']
  if (!Array.isArray(buckets) || buckets.length > limit) throw new ProviderError('no list of suggestions', null)
  return buckets.map((bucket: unknown) => {
    const [value] = textAt(bucket, 'key').split(suggestSeparator)
    if (value === undefined || value === '') throw new ProviderError('a suggestion without a value', null)
    return { value, count: countAt(bucket, 'doc_count') }
  })
}

export function readCount(answer: Answer): number {
  assertWhole(answer)
  return countAt(answer, 'count')
}

/** Yellow means that only second copies are missing. In any other state except green, documents may be missing. */
export function assertHealthy(answer: Answer): void {
  const colour = textAt(answer, 'status')
  if (colour !== 'green' && colour !== 'yellow') throw new ProviderError(`the index is ${colour || 'gone'}`, null)
}

/** The names of indices with their aliases. */
export function readAliases(answer: Answer): Map<string, string[]> {
  return new Map(Object.entries(answer ?? {}).map(([name, index]) => [name, Object.keys(objectAt(index, 'aliases'))]))
}

/** The stamp of the one index behind an alias. Null if there is none, or if its load was not finished. */
export function readStamp(answer: Answer): IndexStamp | null {
  const indices = Object.values(answer ?? {})
  if (indices.length !== 1) return null
  const meta = objectAt(objectAt(indices[0], 'mappings'), '_meta')
  const version = numberAt(meta, 'version')
  const form = numberAt(meta, 'form')
  if (version === null || form === null) return null
  return { version, form, generation: textAt(meta, 'generation'), madeAt: numberAt(meta, 'madeAt') ?? 0 }
}

/** The status of each line of a bulk write. Throws if the number of answers differs from the number of lines. */
export function readBulk(answer: Answer, length: number): number[] {
  const items = listAt(answer, 'items')
  if (items.length !== length) throw new ProviderError('a bulk write was not answered whole', null)
  return items.map((item) => {
    const result = isObject(item) ? Object.values(item)[0] : null
    return numberAt(result, 'status') ?? 500
  })
}

function assertWhole(answer: Answer): void {
  if (answer === null) throw new IndexGoneError('the index is gone')
  const shards = objectAt(answer, '_shards')
  const reasons = listAt(shards, 'failures').map((failure) => textAt(objectAt(failure, 'reason'), 'type'))
  if (reasons.some((reason) => goneReasons.includes(reason))) throw new IndexGoneError('a shard is gone')
  // A count has no `timed_out` field.
  if (numberAt(shards, 'failed') !== 0 || (answer['timed_out'] ?? false) !== false) {
    throw new ProviderError('an answer of only some shards', null)
  }
}

function countAt(value: unknown, name: string): number {
  const count = numberAt(value, name)
  if (count === null || !Number.isSafeInteger(count) || count < 0) throw new ProviderError(`no count ${name}`, null)
  return count
}

function parseNumber(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new ProviderError('a document with a foreign id', null)
  return Number(id)
}
