import { minuteMs } from '@overture/ground/time/spans.ts'
import { Worker } from 'node:worker_threads'
import { monotonicMs } from '../clock.ts'
import { progressPlaces, type ThreadData, type ThreadReply, type ThreadSlice } from './slices.ts'
import { readThreadCpuMs } from './thread-time.client.ts'

export interface ThreadOptions {
  /** A plain JavaScript file that starts a file which calls `serveItems`. */
  boot: URL
  heapMaxMb: number
}

interface SliceLimits {
  sliceMs: number
  /** The CPU time after which an item ends the thread. */
  itemMs: number
}

/** `ended` means that the thread is gone together with its answers of the slice; it was processing the item at `place`. */
export type SliceResult<Answer> =
  | { kind: 'answered'; answers: Answer[]; tookMs: number }
  | { kind: 'ended'; place: number; why: EndReason }

/** `failed` means an uncaught error or an exit. */
export type EndReason = 'too_slow' | 'out_of_memory' | 'failed'

const watchEveryMs = 10
const bootMaxMs = minuteMs
/** A thread that waits for a processor is not too slow, but after this long without one it is ended anyway. */
const waitMaxMs = 10_000
/** If the system does not report a thread's CPU time, it is estimated as this fraction of the elapsed time. */
const unknownShare = 5

interface ThreadSample {
  begun: number
  atMs: number
  cpuMs: number | null
  /** Set on the first check after the limit: an answer may have arrived that is processed after this check. */
  isLate: boolean
}

interface Run<Answer> {
  itemMs: number
  startedMs: number
  seen: ThreadSample | null
  settle(result: SliceResult<Answer>): void
  fail(error: Error): void
}

/**
 * A thread that processes items and is ended if one of them takes too long, whatever it is doing. The limit is the thread's own
 * CPU time, so a busy machine, on which everything takes long, ends no thread.
 */
export class WatchedThread<Item, Answer> {
  readonly #worker: Worker
  readonly #progress: Int32Array
  #systemId: string | null = null
  #isReady = false
  #run: Run<Answer> | null = null
  #isOver = false

  constructor({ boot, heapMaxMb }: ThreadOptions) {
    const memory = new SharedArrayBuffer(progressPlaces.count * Int32Array.BYTES_PER_ELEMENT)
    this.#progress = new Int32Array(memory)
    const workerData: ThreadData = { progress: memory }
    const resourceLimits = { maxOldGenerationSizeMb: heapMaxMb }
    this.#worker = new Worker(boot, { workerData, resourceLimits, execArgv: [] })
    this.#worker.unref()
    this.#worker.on('message', (reply: ThreadReply<Answer>) => this.#hear(reply))
    this.#worker.on('error', (error) => this.#lose(error, isOutOfMemory(error) ? 'out_of_memory' : 'failed'))
    this.#worker.on('exit', () => this.#lose(new Error('The thread ended.'), 'failed'))
  }

  /** Whether the thread accepts no more slices. */
  get over(): boolean {
    return this.#isOver
  }

  /** Processes one slice at a time. Rejects if the thread ended before it reached an item. */
  async answer(items: readonly Item[], { sliceMs, itemMs }: SliceLimits): Promise<SliceResult<Answer>> {
    Atomics.store(this.#progress, progressPlaces.item, -1)
    // Keeps the process alive while a slice runs; an idle thread does not.
    this.#worker.ref()
    const watch = setInterval(() => this.#look(), watchEveryMs)
    try {
      return await new Promise((settle, fail) => {
        this.#run = { itemMs, startedMs: monotonicMs(), seen: null, settle, fail }
        const slice: ThreadSlice<Item> = { items, sliceMs }
        this.#worker.postMessage(slice)
      })
    } finally {
      this.#run = null
      clearInterval(watch)
      this.#worker.unref()
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
  }

  #hear(reply: ThreadReply<Answer>): void {
    if ('answers' in reply) return this.#run?.settle({ kind: 'answered', ...reply })
    this.#systemId = reply.systemId
    this.#isReady = true
  }

  #look(): void {
    const run = this.#run
    if (run === null) return
    const begun = Atomics.load(this.#progress, progressPlaces.begun)
    const now = monotonicMs()
    if (!this.#isReady) {
      if (now - run.startedMs > bootMaxMs) this.#end()
      return
    }
    if (run.seen?.begun !== begun) {
      run.seen = { begun, atMs: now, cpuMs: readThreadCpuMs(this.#systemId), isLate: false }
      return
    }
    const waitedMs = now - run.seen.atMs
    if (waitedMs < run.itemMs) return
    if (!run.seen.isLate) run.seen.isLate = true
    else if (waitedMs > waitMaxMs || usedMs(run.seen, waitedMs, this.#systemId) >= run.itemMs) this.#end()
  }

  #end(): void {
    this.#lose(new Error('The thread took too long.'), 'too_slow')
    void this.#worker.terminate()
  }

  #lose(error: Error, why: EndReason): void {
    this.#isOver = true
    const place = Atomics.load(this.#progress, progressPlaces.item)
    if (place < 0) this.#run?.fail(error)
    else this.#run?.settle({ kind: 'ended', place, why })
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function usedMs(seen: ThreadSample, waitedMs: number, systemId: string | null): number {
  const cpuMs = readThreadCpuMs(systemId)
  return cpuMs === null || seen.cpuMs === null ? waitedMs / unknownShare : cpuMs - seen.cpuMs
}
