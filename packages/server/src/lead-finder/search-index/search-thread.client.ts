import { Worker } from 'node:worker_threads'
import type { SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { Dataset, DatasetState } from '../store/finder-store.sql.ts'
import type { IndexBackend, IndexStatus, VersionedAnswer } from './index-backend.ts'
import type { IndexCall, IndexReply, IndexThreadData, IndexWorkerData, RebuildFailed } from './search.thread.ts'
import type { SearchRequest } from '@overture/people-index/lead-index.ts'
import type { Suggestion } from '@overture/people-index/suggest.ts'

type Question = { type: 'status' } | { type: 'search'; request: SearchRequest } | SuggestQuestion
interface SuggestQuestion {
  type: 'suggest'
  field: SuggestField
  query: string
  limit: number
}
interface WaitingCall {
  worker: Worker
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * The index in a separate thread, so that a search never blocks the server's event loop. A thread that dies is started again at
 * the next call. If its delta becomes too large, another thread rebuilds the index and then replaces it; until then it continues
 * to answer.
 */
export class IndexClient implements IndexBackend {
  readonly #options: IndexWorkerData
  #worker: Worker | null = null
  #successor: { worker: Worker; dataset: Dataset } | null = null
  readonly #waiting = new Map<number, WaitingCall>()
  #lastId = 0

  constructor(options: IndexWorkerData) {
    this.#options = options
  }

  search(dataset: Dataset, state: DatasetState, request: SearchRequest): Promise<VersionedAnswer> {
    return this.#ask<VersionedAnswer>(dataset, state, { type: 'search', request })
  }

  suggest(dataset: Dataset, state: DatasetState, question: Omit<SuggestQuestion, 'type'>): Promise<Suggestion[]> {
    return this.#ask<Suggestion[]>(dataset, state, { type: 'suggest', ...question })
  }

  status(dataset: Dataset, state: DatasetState): Promise<IndexStatus> {
    return this.#ask<IndexStatus>(dataset, state, { type: 'status' })
  }

  async stop(): Promise<void> {
    const workers = new Set([...this.#waiting.values()].map((call) => call.worker))
    if (this.#worker) workers.add(this.#worker)
    if (this.#successor) workers.add(this.#successor.worker)
    this.#worker = null
    this.#successor = null
    await Promise.all([...workers].map((worker) => worker.terminate()))
  }

  #ask<Result>(dataset: Dataset, state: DatasetState, question: Question): Promise<Result> {
    const worker = (this.#worker ??= this.#start(null))
    const id = ++this.#lastId
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.set(id, { worker, resolve: (result) => resolve(result as Result), reject })
      worker.ref()
      const call: IndexCall = { id, dataset, generation: state.generation, version: state.version, ...question }
      worker.postMessage(call)
    })
  }

  #start(rebuild: Dataset | null): Worker {
    const workerData: IndexThreadData = { ...this.#options, rebuild }
    const worker = new Worker(new URL('./search.boot.mjs', import.meta.url), { workerData, execArgv: [] })
    worker.on('message', (reply: IndexReply) => {
      if ('outgrown' in reply) this.#prepare(reply.outgrown)
      else if ('ready' in reply) this.#takeOver(worker)
      else this.#settle(worker, reply)
    })
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the lead index stopped')))
    return worker
  }

  #settle(worker: Worker, reply: Extract<IndexReply, { id: number }>): void {
    const call = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (!this.#isAsked(worker)) this.#rest(worker)
    if ('error' in reply) call?.reject(new Error(reply.error))
    else call?.resolve(reply.result)
  }

  #prepare(dataset: Dataset): void {
    if (this.#successor) return
    this.#successor = { worker: this.#start(dataset), dataset }
    this.#successor.worker.unref()
  }

  #takeOver(worker: Worker): void {
    if (this.#successor?.worker !== worker) return
    const before = this.#worker
    this.#worker = worker
    this.#successor = null
    if (before && !this.#isAsked(before)) this.#rest(before)
  }

  #isAsked(worker: Worker): boolean {
    return [...this.#waiting.values()].some((call) => call.worker === worker)
  }

  // An idle thread doesn't keep the process alive. A replaced one ends after its last reply.
  #rest(worker: Worker): void {
    worker.unref()
    if (worker !== this.#worker) void worker.terminate()
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = null
    if (this.#successor?.worker === worker) {
      this.#worker?.postMessage({ rebuildFailed: this.#successor.dataset } satisfies RebuildFailed)
      this.#successor = null
    }
    for (const [id, call] of this.#waiting) {
      if (call.worker !== worker) continue
      this.#waiting.delete(id)
      call.reject(error)
    }
  }
}
