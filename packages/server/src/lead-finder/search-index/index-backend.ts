import type { SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { Dataset, DatasetState } from '../records/dataset.ts'
import type { SearchAnswer, SearchRequest } from './lead-index.ts'
import type { Suggestion } from './suggest.ts'

export interface IndexStatus {
  people: number
  companies: number
  /** Of them in a delta that is not yet folded in. */
  deltaPeople: number
  /** Of the store, up to which the index follows it. */
  version: number
}

/** Pages of one search that carry one version were read from one state of the people. */
export interface VersionedAnswer extends SearchAnswer {
  /** Of the store, that the index held. */
  version: number
}

/**
 * What answers searches over the store. Every backend follows the store by its version, answers exact totals and one
 * order: closest company names first, then by rank, then by number; the same contract test holds each of them.
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
