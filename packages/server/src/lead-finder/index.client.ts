import { Worker } from 'node:worker_threads'
import type { SuggestField } from '@overture/contract/lead-finder.ts'
import type { Dataset, DatasetState } from './finder-store.sql.ts'
import type { IndexBackend, IndexStatus } from './index-backend.ts'
import type { IndexCall, IndexReply, IndexWorkerData } from './index.worker.ts'
import type { SearchAnswer, SearchRequest } from './lead-index.ts'
import type { Suggestion } from './suggest.ts'

type Question = { type: 'status' } | { type: 'search'; request: SearchRequest } | SuggestQuestion
interface SuggestQuestion {
  type: 'suggest'
  field: SuggestField
  query: string
  limit: number
}
interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** The index in its own thread: a search never blocks the server's. A thread that dies is started again at the next call. */
export class IndexClient implements IndexBackend {
  private readonly options: IndexWorkerData
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0

  constructor(options: IndexWorkerData) {
    this.options = options
  }

  search(dataset: Dataset, state: DatasetState, request: SearchRequest): Promise<SearchAnswer> {
    return this.ask<SearchAnswer>(dataset, state, { type: 'search', request })
  }

  suggest(dataset: Dataset, state: DatasetState, question: Omit<SuggestQuestion, 'type'>): Promise<Suggestion[]> {
    return this.ask<Suggestion[]>(dataset, state, { type: 'suggest', ...question })
  }

  status(dataset: Dataset, state: DatasetState): Promise<IndexStatus> {
    return this.ask<IndexStatus>(dataset, state, { type: 'status' })
  }

  async stop(): Promise<void> {
    const worker = this.worker
    this.worker = null
    await worker?.terminate()
  }

  private ask<Result>(dataset: Dataset, state: DatasetState, question: Question): Promise<Result> {
    const worker = (this.worker ??= this.start())
    const id = ++this.lastId
    return new Promise<Result>((resolve, reject) => {
      this.waiting.set(id, { resolve: (result) => resolve(result as Result), reject })
      if (this.waiting.size === 1) worker.ref()
      const call: IndexCall = { id, dataset, generation: state.generation, version: state.version, ...question }
      worker.postMessage(call)
    })
  }

  private start(): Worker {
    const worker = new Worker(new URL('./index.boot.mjs', import.meta.url), { workerData: this.options, execArgv: [] })
    worker.on('message', (reply: IndexReply) => {
      const waiting = this.waiting.get(reply.id)
      this.waiting.delete(reply.id)
      // Idle, the thread keeps nothing alive.
      if (this.waiting.size === 0) worker.unref()
      if ('error' in reply) waiting?.reject(new Error(reply.error))
      else waiting?.resolve(reply.result)
    })
    worker.on('error', (error) => this.lose(worker, error))
    worker.on('exit', () => this.lose(worker, new Error('the lead index stopped')))
    return worker
  }

  private lose(worker: Worker, error: Error): void {
    if (this.worker === worker) this.worker = null
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    for (const call of waiting) call.reject(error)
  }
}
