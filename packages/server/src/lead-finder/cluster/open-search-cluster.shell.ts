import { setTimeout as delay } from 'node:timers/promises'
import type { Dataset } from '../records/dataset.ts'
import type { CompanyDoc } from '@overture/people-index/records/columns.ts'
import { ProviderError } from '../providers/provider.ts'
import type { Source, SourceCompany } from '../store/index-source.sql.ts'
import { readAliases, readCount, readStamp, type IndexStamp } from './open-search-answers.ts'
import { OpenSearchClient, type BulkOperation, type OpenSearchOptions } from './open-search.client.ts'
import { companyDocument, documentForm, indexDefinition, personDocument } from './open-search-documents.ts'
import { indexKinds, IndexNames, type IndexKind } from './open-search-names.ts'

const bulkDocuments = 2_000
const busyTries = 9
const busyWaitMs = 250
const busyWaitMsMax = 15_000

/** Where documents are written: either to the indices of a load, or through the aliases. */
interface WriteTarget {
  names: Record<IndexKind, string>
  isAlias: boolean
}

export interface DocumentCounts {
  people: number
  companies: number
}

/** Creates, fills, stamps, swaps and drops the indices of one dataset. */
export class SearchCluster {
  readonly #client: OpenSearchClient
  readonly #options: OpenSearchOptions & { dataset: Dataset; signal: AbortSignal; busyWaitMs?: number }
  readonly names: IndexNames

  constructor(options: OpenSearchOptions & { dataset: Dataset; signal: AbortSignal; busyWaitMs?: number }) {
    this.#client = new OpenSearchClient(options)
    this.#options = options
    this.names = new IndexNames(options.prefix, options.dataset)
  }

  get served(): WriteTarget {
    return { names: { people: this.names.alias('people'), companies: this.names.alias('companies') }, isAlias: true }
  }

  /** Null if no complete index of our document form is in use. */
  async stamp(): Promise<IndexStamp | null> {
    const [stamp, companies] = await Promise.all(
      indexKinds.map((kind) => this.#client.request('GET', `/${this.names.alias(kind)}/_mapping`)),
    )
    return companies === null ? null : readStamp(stamp!)
  }

  async setStamp({ names }: WriteTarget, stamp: Omit<IndexStamp, 'form'>): Promise<void> {
    const body = { _meta: { ...stamp, form: documentForm } }
    await this.#needed('POST', `/${names.people}/_mapping`, body)
  }

  async make(load: string): Promise<WriteTarget> {
    const names = { people: this.names.ofLoad('people', load), companies: this.names.ofLoad('companies', load) }
    for (const kind of indexKinds) {
      await this.#needed('PUT', `/${names[kind]}`, indexDefinition(kind, this.#options.shards))
    }
    return { names, isAlias: false }
  }

  /** Writes all changes after a version and makes them visible to searches. Returns the number of documents written. */
  async copy(source: Source, since: number, target: WriteTarget): Promise<DocumentCounts> {
    const counts = { people: 0, companies: 0 }
    let batch: BulkOperation[] = []
    const add = async (kind: IndexKind, operation: Omit<BulkOperation, 'index'>) => {
      batch.push({ ...operation, index: target.names[kind] })
      if (operation.document) counts[kind]++
      if (batch.length < bulkDocuments) return
      await this.#write(batch, target)
      batch = []
    }
    const { dataset } = this.#options
    await source.eachChangedCompany(dataset, since, (company) =>
      add('companies', { ...versioned(company.number, company.version), document: companyDocument(company) }),
    )
    await source.eachChangedPerson(dataset, since, (person, company) =>
      add('people', {
        ...versioned(person.number, Math.max(person.version, company?.version ?? 0)),
        document: person.erased ? null : personDocument(withCompany(person, company), company),
      }),
    )
    await this.#write(batch, target)
    for (const kind of indexKinds) await this.#needed('GET', `/${target.names[kind]}/_refresh`)
    return counts
  }

  async count(kind: IndexKind, target: WriteTarget): Promise<number> {
    return readCount(await this.#client.request('POST', `/${target.names[kind]}/_count`, {}))
  }

  /** Switches searches to the new indices, for both kinds at once. */
  async swap({ names }: WriteTarget): Promise<void> {
    const before = [...(await this.#indices())]
    const actions = indexKinds.flatMap((kind) => {
      const alias = this.names.alias(kind)
      const served = before.filter(([, aliases]) => aliases.includes(alias))
      return [...served.map(([index]) => ({ remove: { index, alias } })), { add: { index: names[kind], alias } }]
    })
    await this.#needed('POST', '/_aliases', { actions })
  }

  /** Drops indices without one of our aliases: leftovers of killed loads, and indices that a swap has replaced. */
  async dropUnserved(): Promise<void> {
    const aliases = indexKinds.map((kind) => this.names.alias(kind))
    await this.#drop((form, own) => form === documentForm && !own.some((alias) => aliases.includes(alias)))
  }

  /** Drops indices that servers of an older version used. */
  async dropOlderForms(): Promise<void> {
    await this.#drop((form) => form < documentForm)
  }

  async #drop(isDue: (form: number, aliases: string[]) => boolean): Promise<void> {
    for (const [name, aliases] of await this.#indices()) {
      const known = this.names.known(name)
      if (known && isDue(known.form, aliases)) await this.#client.request('DELETE', `/${name}`)
    }
  }

  async #indices(): Promise<Map<string, string[]>> {
    return readAliases(await this.#client.request('GET', `/${this.names.pattern}/_alias`))
  }

  async #write(operations: readonly BulkOperation[], { isAlias }: WriteTarget): Promise<void> {
    let rest = [...operations]
    for (let tries = 0; rest.length > 0; tries++) {
      if (tries === busyTries) throw new ProviderError('too busy to take documents', 429)
      const waitMs = tries === 0 ? 0 : (this.#options.busyWaitMs ?? busyWaitMs) * 2 ** (tries - 1)
      await this.#pause(Math.min(waitMs, busyWaitMsMax))
      rest = await this.#client.bulk(rest, isAlias)
    }
  }

  async #pause(waitMs: number): Promise<void> {
    const { signal } = this.#options
    if (signal.aborted) throw new ProviderError('stopped', null)
    if (waitMs === 0) return
    await delay(waitMs, undefined, { signal }).catch(() => {
      throw new ProviderError('stopped', null)
    })
  }

  async #needed(method: string, path: string, body?: unknown): Promise<void> {
    if ((await this.#client.request(method, path, body)) === null) throw new ProviderError(`${path} is gone`, 404)
  }
}

function versioned(number: number, version: number) {
  return { id: String(number), version }
}

function withCompany<Person extends object>(person: Person, company: CompanyDoc | SourceCompany | null) {
  return { ...person, companyNumber: company?.number ?? null }
}
