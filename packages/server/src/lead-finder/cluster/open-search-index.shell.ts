import { AppError } from '@overture/contract/errors.ts'
import type { Logger } from '../../platform/log.shell.ts'
import type { CompanyDoc } from '../records/columns.ts'
import type { Dataset, DatasetState } from '../store/finder-store.sql.ts'
import type { IndexBackend, IndexStatus } from '../search-index/index-backend.ts'
import { withSource, type Source, type SourceCompany } from '../store/index-source.sql.ts'
import type { SearchAnswer, SearchRequest } from '../search-index/lead-index.ts'
import { OpenSearchClient, type BulkOperation, type OpenSearchOptions } from './open-search.client.ts'
import {
  companyDocument,
  indexDefinition,
  personDocument,
  suggestSeparator,
  documentForm,
} from './open-search-documents.ts'
import { searchBody, suggestBody } from './open-search-query.ts'
import { listAt, numberAt, objectAt, ProviderError, textAt } from '../providers/provider.ts'
import type { Suggestion } from '../search-index/suggest.ts'

const bulkDocuments = 2_000
const kinds = ['people', 'companies'] as const
type Kind = (typeof kinds)[number]

/** Up to where the index holds the store; null: it holds nothing of this store. */
interface FollowedVersion {
  version: number
}

/**
 * Searches in an OpenSearch cluster, for more people than one machine holds. PostgreSQL stays the store of record: the
 * index follows it by version before a search, each document under the store's version, so that several servers can
 * write at once. Every trouble is 503.
 */
export class OpenSearchIndex implements IndexBackend {
  private readonly client: OpenSearchClient
  private readonly options: OpenSearchOptions & { databaseUrl: string; log: Logger }
  private readonly followed = new Map<Dataset, FollowedVersion & { generation: string }>()
  private readonly running = new Map<Dataset, Promise<void>>()

  constructor(options: OpenSearchOptions & { databaseUrl: string; log: Logger }) {
    this.client = new OpenSearchClient(options)
    this.options = options
  }

  search(dataset: Dataset, state: DatasetState, request: SearchRequest): Promise<SearchAnswer> {
    return this.answer(async () => {
      await this.follow(dataset, state)
      const path = `/${this.name(dataset, request.kind)}/_search?request_cache=true`
      const answer = await this.client.request('POST', path, searchBody(request))
      const hits = objectAt(answer, 'hits')
      const totalCount = numberAt(objectAt(hits, 'total'), 'value')
      const isWhole = numberAt(objectAt(answer, '_shards'), 'failed') === 0 && answer?.['timed_out'] === false
      if (totalCount === null || !isWhole || textAt(objectAt(hits, 'total'), 'relation') !== 'eq') {
        throw new ProviderError('an answer of only some shards', null)
      }
      return { numbers: listAt(hits, 'hits').map((hit) => Number(textAt(hit, '_id'))), totalCount }
    })
  }

  suggest(
    dataset: Dataset,
    state: DatasetState,
    question: Parameters<IndexBackend['suggest']>[2],
  ): Promise<Suggestion[]> {
    return this.answer(async () => {
      await this.follow(dataset, state)
      const { kind, body } = suggestBody(question)
      const answer = await this.client.request('POST', `/${this.name(dataset, kind)}/_search`, body)
      const values = objectAt(objectAt(answer, 'aggregations'), 'values')
      return listAt(values, 'buckets').map((bucket) => ({
        value: textAt(bucket, 'key').split(suggestSeparator)[0]!,
        count: numberAt(bucket, 'doc_count') ?? 0,
      }))
    })
  }

  status(dataset: Dataset, state: DatasetState): Promise<IndexStatus> {
    return this.answer(async () => {
      await this.follow(dataset, state)
      const names = kinds.map((kind) => this.name(dataset, kind))
      const health = await this.client.request('GET', `/_cluster/health/${names.join(',')}`)
      const colour = textAt(health, 'status')
      // Yellow lacks replicas only; anything but these two may lack documents.
      if (colour !== 'green' && colour !== 'yellow') throw new ProviderError(`the index is ${colour || 'gone'}`, null)
      const counts = await Promise.all(
        kinds.map((kind) => this.client.request('POST', `/${this.name(dataset, kind)}/_count`, {})),
      )
      const [people, companies] = counts.map((count) => numberAt(count, 'count') ?? 0)
      return { people: people!, companies: companies!, deltaPeople: 0, version: this.followed.get(dataset)!.version }
    })
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.running.values())
  }

  private async answer<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      this.options.log.warn({ event: 'open_search_failed', status: error.status, reason: error.message })
      throw new AppError('SERVICE_UNAVAILABLE', 'Lead search is not available right now.')
    }
  }

  // One at a time a dataset; a call that came for a newer version meanwhile follows again.
  private async follow(dataset: Dataset, state: DatasetState): Promise<void> {
    for (;;) {
      const known = this.followed.get(dataset)
      if (known && known.generation === state.generation && known.version >= state.version) return
      let following = this.running.get(dataset)
      if (!following) {
        following = this.catchUp(dataset).finally(() => this.running.delete(dataset))
        this.running.set(dataset, following)
      }
      await following
      // The store was made anew since the caller looked: what there is now answers.
      if (this.followed.get(dataset)?.generation !== state.generation) return
    }
  }

  private async catchUp(dataset: Dataset): Promise<void> {
    await withSource(this.options.databaseUrl, (source) =>
      source.consistently(async () => {
        const now = await source.version(dataset)
        if (!now) throw new ProviderError(`dataset ${dataset} is not there`, null)
        const found = await this.open(dataset, now.generation)
        if (found.version < now.version) await this.copy(source, dataset, found.version)
        await this.stamp(dataset, now)
        this.followed.set(dataset, now)
      }),
    )
  }

  /** Makes indices that are missing or of another store; answers up to where those that are there go. */
  private async open(dataset: Dataset, generation: string): Promise<FollowedVersion> {
    const name = this.name(dataset, 'people')
    const mapping = await this.client.request('GET', `/${name}/_mapping`)
    const meta = objectAt(objectAt(objectAt(mapping, name), 'mappings'), '_meta')
    const version = numberAt(meta, 'version')
    const isOurs = textAt(meta, 'generation') === generation && numberAt(meta, 'form') === documentForm
    if (version !== null && isOurs) return { version }
    for (const kind of kinds) {
      await this.client.request('DELETE', `/${this.name(dataset, kind)}`)
      await this.client.request('PUT', `/${this.name(dataset, kind)}`, indexDefinition(kind, this.options.shards))
    }
    return { version: -1 }
  }

  private async copy(source: Source, dataset: Dataset, since: number): Promise<void> {
    let batch: BulkOperation[] = []
    const add = async (operation: BulkOperation) => {
      batch.push(operation)
      if (batch.length < bulkDocuments) return
      await this.client.bulk(batch)
      batch = []
    }
    const companies = this.name(dataset, 'companies')
    await source.eachChangedCompany(dataset, since, (company) =>
      add({ ...target(companies, company.number, company.version), document: companyDocument(company) }),
    )
    const people = this.name(dataset, 'people')
    await source.eachChangedPerson(dataset, since, (person, company) =>
      add({
        ...target(people, person.number, Math.max(person.version, company?.version ?? 0)),
        document: person.erased ? null : personDocument(personDoc(person, company), company),
      }),
    )
    await this.client.bulk(batch)
    for (const kind of kinds) await this.client.request('POST', `/${this.name(dataset, kind)}/_refresh`)
  }

  private async stamp(dataset: Dataset, stamp: { version: number; generation: string }): Promise<void> {
    const { version, generation } = stamp
    await this.client.request('PUT', `/${this.name(dataset, 'people')}/_mapping`, {
      _meta: { version, generation, form: documentForm },
    })
  }

  private name(dataset: Dataset, kind: Kind): string {
    return `${this.options.prefix}-${dataset}-${kind}`
  }
}

function target(index: string, number: number, version: number) {
  return { index, id: String(number), version }
}

function personDoc<Person extends object>(person: Person, company: CompanyDoc | SourceCompany | null) {
  return { ...person, companyNumber: company?.number ?? null }
}
