import type { SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { Dataset, DatasetState } from '../records/dataset.ts'
import type { SearchAnswer, SearchRequest } from '@overture/people-index/lead-index.ts'
import type { Suggestion } from '@overture/people-index/suggest.ts'

export interface IndexStatus {
  people: number
  companies: number
  /** The people in a delta that was not merged yet. */
  deltaPeople: number
  /** The version of the store that the index has reached. */
  version: number
}

/** Pages of one search with the same version were read from the same state of the people. */
export interface VersionedAnswer extends SearchAnswer {
  /** The version of the store that the index had. */
  version: number
}

/**
 * A backend that answers searches over the store. Every backend follows the store by its version, and returns exact totals and
 * the same order: closest company names first, then by rank, then by number. One contract test checks them all.
 */
export interface IndexBackend {
  search(dataset: Dataset, state: DatasetState, request: SearchRequest): Promise<VersionedAnswer>
  suggest(
    dataset: Dataset,
    state: DatasetState,
    question: { field: SuggestField; query: string; limit: number },
  ): Promise<Suggestion[]>
  status(dataset: Dataset, state: DatasetState): Promise<IndexStatus>
  stop(): Promise<void>
}
