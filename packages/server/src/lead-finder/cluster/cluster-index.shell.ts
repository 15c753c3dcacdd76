import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@overture/contract/errors.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.shell.ts'
import { ProviderError } from '../providers/provider.ts'
import type { Dataset, DatasetState } from '../records/dataset.ts'
import type { IndexBackend, IndexStatus, VersionedAnswer } from '../search-index/index-backend.ts'
import type { SearchRequest } from '@overture/people-index/lead-index.ts'
import type { Suggestion } from '@overture/people-index/suggest.ts'
import { withSource, type Source, type StoreVersion } from '../store/index-source.sql.ts'
import { assertHealthy, IndexGoneError, readCount, readSearch, readSuggestions } from './open-search-answers.ts'
import { SearchCluster, type DocumentCounts } from './open-search-cluster.shell.ts'
import { indexKinds } from './open-search-names.ts'
import { searchBody, suggestBody } from './open-search-query.ts'
import { OpenSearchClient, type OpenSearchOptions } from './open-search.client.ts'

/** The longest that a search waits for the index to catch up with the store. A first filling takes hours. */
const followWaitMsMax = 10_000
const lockWaitMs = 250
/** Servers of the previous version use their index for at most this long after a newer one exists. An upgrade is finished by then. */
const olderFormKeptMs = dayMs

interface ClusterIndexOptions extends OpenSearchOptions {
  databaseUrl: string
  log: Logger
  clock: Clock
  followWaitMs?: number
  busyWaitMs?: number
}

/**
 * Searches in an OpenSearch cluster, for more people than one machine can hold. PostgreSQL remains the store of record. Before a
 * search, the index catches up with it by version, and each document has the version of the store. An index that can't catch up
 * (missing, from another store, or of an older form) is loaded again and replaced when the load is complete. Locks in PostgreSQL
 * let only one server at a time do either. Every failure is reported as 503.
 */
export class ClusterIndex implements IndexBackend {
  readonly #client: OpenSearchClient
  readonly #options: ClusterIndexOptions
  readonly #followed = new Map<Dataset, StoreVersion>()
  readonly #running = new Map<Dataset, Promise<void>>()
  readonly #tidied = new Set<Dataset>()
  readonly #stopping = new AbortController()

  constructor(options: ClusterIndexOptions) {
    this.#client = new OpenSearchClient(options)
    this.#options = options
  }

  search(dataset: Dataset, state: DatasetState, request: SearchRequest): Promise<VersionedAnswer> {
    const path = `/${this.#cluster(dataset).names.alias(request.kind)}/_search?request_cache=true`
    return this.#answer(dataset, state, async ({ version }) => {
      const answer = await this.#client.request('POST', path, searchBody(request))
      return { ...readSearch(answer, request.page), version }
    })
  }

  suggest(
    dataset: Dataset,
    state: DatasetState,
    question: Parameters<IndexBackend['suggest']>[2],
  ): Promise<Suggestion[]> {
    const { kind, body } = suggestBody(question)
    const path = `/${this.#cluster(dataset).names.alias(kind)}/_search`
    return this.#answer(dataset, state, async () =>
      readSuggestions(await this.#client.request('POST', path, body), question.limit),
    )
  }

  status(dataset: Dataset, state: DatasetState): Promise<IndexStatus> {
    return this.#answer(dataset, state, async ({ version }) => {
      const { names } = this.#cluster(dataset)
      const both = indexKinds.map((kind) => names.alias(kind))
      assertHealthy(await this.#client.request('GET', `/_cluster/health/${encodeURIComponent(both.join(','))}`))
      const [people, companies] = await Promise.all(
        both.map(async (name) => readCount(await this.#client.request('POST', `/${name}/_count`, {}))),
      )
      return { people: people!, companies: companies!, deltaPeople: 0, version }
    })
  }

  /** Loads the store into a new index, which then replaces the present one. Searches use the present one until then. */
  async reload(dataset: Dataset): Promise<DocumentCounts> {
    return withSource(this.#options.databaseUrl, (source) =>
      this.#alone(source, `load ${dataset}`, () => this.#load(source, dataset)),
    )
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#running.values())
  }

  async #answer<Result>(
    dataset: Dataset,
    state: DatasetState,
    ask: (followed: StoreVersion) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await ask(await this.#follow(dataset, state)).catch(async (error: unknown) => {
        if (!(error instanceof IndexGoneError)) throw error
        // The index was deleted after the search began, for example by a reload. Retries once with the present index.
        this.#followed.delete(dataset)
        return ask(await this.#follow(dataset, state))
      })
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      this.#options.log.warn({ event: 'open_search.failed', status: error.status, reason: error.message })
      throw new AppError('SERVICE_UNAVAILABLE', 'Lead search is not available right now.')
    }
  }

  // Only one run per dataset at a time. A call that needs a newer version than that run starts another one.
  async #follow(dataset: Dataset, state: DatasetState): Promise<StoreVersion> {
    for (;;) {
      const known = this.#followed.get(dataset)
      if (known && known.generation === state.generation && known.version >= state.version) return known
      let following = this.#running.get(dataset)
      if (!following) {
        following = this.#catchUp(dataset).finally(() => this.#running.delete(dataset))
        this.#running.set(dataset, following)
      }
      await this.#inTime(following)
      const now = this.#followed.get(dataset)
      // The store was replaced after the caller read its state, so the present store is used.
      if (now && now.generation !== state.generation) return now
    }
  }

  /** If the load takes too long, the search fails, but the load continues. */
  async #inTime(following: Promise<void>): Promise<void> {
    const waited = new AbortController()
    const late = delay(this.#options.followWaitMs ?? followWaitMsMax, 'late', { signal: waited.signal }).catch(() => '')
    try {
      if ((await Promise.race([following, late])) === 'late') {
        throw new ProviderError('the index is still being filled', null)
      }
    } finally {
      waited.abort()
    }
  }

  async #catchUp(dataset: Dataset): Promise<void> {
    await withSource(this.#options.databaseUrl, async (source) => {
      if (await this.#followServed(source, dataset)) return
      await this.#alone(source, `load ${dataset}`, async () => {
        // Another server may have loaded the index during the wait for the lock.
        if (!(await this.#followServed(source, dataset))) await this.#load(source, dataset)
      })
    })
  }

  /** Writes the changes of the store into the index in use. Returns false if that index is missing or can't catch up. */
  async #followServed(source: Source, dataset: Dataset): Promise<boolean> {
    const cluster = this.#cluster(dataset)
    return this.#alone(source, `write ${dataset}`, () =>
      source.consistently(async () => {
        const now = await storeVersion(source, dataset)
        const stamp = await cluster.stamp()
        // An index that is ahead of the store contains changes that a restore of the store has lost.
        if (!stamp || stamp.generation !== now.generation || stamp.version > now.version) return false
        if (stamp.version < now.version) {
          await cluster.copy(source, stamp.version, cluster.served)
          await cluster.setStamp(cluster.served, { ...now, madeAt: stamp.madeAt })
        }
        this.#followed.set(dataset, now)
        await this.#tidy(dataset, cluster, stamp.madeAt)
        return true
      }),
    )
  }

  // Runs under the lock of loads, so an index of this form without an alias is a leftover of a killed load.
  async #load(source: Source, dataset: Dataset): Promise<DocumentCounts> {
    const cluster = this.#cluster(dataset)
    await cluster.dropUnserved()
    const fresh = await cluster.make(randomBytes(8).toString('hex'))
    const { loaded, counts } = await source.consistently(async () => {
      const now = await storeVersion(source, dataset)
      return { loaded: now, counts: await cluster.copy(source, -1, fresh) }
    })
    for (const kind of indexKinds) {
      const found = await cluster.count(kind, fresh)
      if (found !== counts[kind]) throw new ProviderError(`${found} of ${counts[kind]} ${kind} are there`, null)
    }
    await this.#alone(source, `write ${dataset}`, async () => {
      const now = await source.consistently(async () => {
        const latest = await storeVersion(source, dataset)
        if (latest.generation !== loaded.generation) throw new ProviderError('the store was made again', null)
        if (latest.version > loaded.version) await cluster.copy(source, loaded.version, fresh)
        return latest
      })
      await cluster.setStamp(fresh, { ...now, madeAt: this.#options.clock.now().getTime() })
      await cluster.swap(fresh)
      this.#followed.set(dataset, now)
    })
    await cluster.dropUnserved()
    this.#options.log.info({ event: 'open_search.loaded', dataset, ...counts })
    return counts
  }

  async #tidy(dataset: Dataset, cluster: SearchCluster, madeAt: number): Promise<void> {
    if (this.#tidied.has(dataset) || this.#options.clock.now().getTime() - madeAt < olderFormKeptMs) return
    await cluster.dropOlderForms()
    this.#tidied.add(dataset)
  }

  /** Runs under a PostgreSQL lock, which is released if the process is killed. */
  async #alone<Result>(source: Source, what: string, run: () => Promise<Result>): Promise<Result> {
    const lock = `finder ${this.#options.prefix} ${what}`
    while (!(await source.tryLock(lock))) {
      if (this.#stopping.signal.aborted) throw new ProviderError('stopped', null)
      await delay(lockWaitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    }
    try {
      return await run()
    } finally {
      await source.unlock(lock)
    }
  }

  #cluster(dataset: Dataset): SearchCluster {
    return new SearchCluster({ ...this.#options, dataset, signal: this.#stopping.signal })
  }
}

async function storeVersion(source: Source, dataset: Dataset): Promise<StoreVersion> {
  const now = await source.version(dataset)
  if (!now) throw new ProviderError(`dataset ${dataset} is not there`, null)
  return now
}
