import { Worker } from 'node:worker_threads'
import type { Logger } from '../../platform/log.shell.ts'
import type { MailReader, MailReading, NotReadReason } from './mail-reader.ts'
import type { ReadingAnswer } from './reading.thread.ts'

export interface ReadingThreadsOptions {
  log: Logger
  /** For one message. */
  secondsMax: number
  /** Of one thread's heap. */
  mebibytesMax: number
  threadsMax: number
  /** What a thread runs. */
  boot?: URL
}

export interface ReadingThreads extends MailReader {
  stop(): Promise<void>
}

const startSecondsMax = 120
/** A message's time is counted in so many parts, so that a process that stood still has used up one of them at most. */
const partsOfTime = 10

interface Call {
  raw: Uint8Array
  resolve(reading: MailReading): void
  reject(error: Error): void
}

interface Thread {
  worker: Worker
  isReady: boolean
  call: Call | null
  timer: NodeJS.Timeout | undefined
}

/**
 * Mail of strangers is read in threads, started when there is something to read and kept. One that takes too long or too much
 * memory, or dies, is ended and replaced, and its message is set aside.
 */
export function createReadingThreads(options: ReadingThreadsOptions): ReadingThreads {
  const { log, threadsMax } = options
  const threads = new Set<Thread>()
  const queue: Call[] = []
  let isStopped = false

  function read(raw: Uint8Array): Promise<MailReading> {
    if (isStopped) return Promise.reject(new Error('Mail is not read any more.'))
    return new Promise((resolve, reject) => {
      queue.push({ raw, resolve, reject })
      assign()
    })
  }

  function assign(): void {
    for (const thread of threads) {
      if (!thread.isReady || thread.call !== null) continue
      const call = queue.shift()
      if (call === undefined) return
      begin(thread, call)
    }
    const starting = [...threads].filter((thread) => !thread.isReady).length
    if (queue.length > starting && threads.size < threadsMax) start()
  }

  function begin(thread: Thread, call: Call): void {
    thread.call = call
    thread.worker.ref()
    let parts = 0
    thread.timer = setInterval(
      () => {
        if (++parts >= partsOfTime) lose(thread, 'too_slow')
      },
      (options.secondsMax * 1_000) / partsOfTime,
    )
    // A copy of its own is handed over, not the block of memory that the message lies in among others.
    const raw = new Uint8Array(call.raw)
    thread.worker.postMessage(raw, [raw.buffer])
  }

  function start(): void {
    const worker = new Worker(options.boot ?? new URL('./reading.boot.mjs', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.mebibytesMax },
    })
    const thread: Thread = { worker, isReady: false, call: null, timer: undefined }
    threads.add(thread)
    thread.timer = setTimeout(() => lose(thread, 'too_slow'), startSecondsMax * 1_000)
    worker.on('message', (answer: ReadingAnswer) => settle(thread, answer))
    worker.on('error', (error) => lose(thread, isOutOfMemory(error) ? 'out_of_memory' : 'reader_failed', error))
    worker.on('exit', () => lose(thread, 'reader_failed'))
  }

  function settle(thread: Thread, answer: ReadingAnswer): void {
    if ('ready' in answer) {
      clearTimeout(thread.timer)
      thread.isReady = true
    } else {
      const call = end(thread)
      if ('failed' in answer) log.error({ event: 'inbox.reader_failed', reason: answer.failed })
      call?.resolve('failed' in answer ? { outcome: 'set_aside', reason: 'reader_failed' } : answer.reading)
    }
    // Idle, a thread keeps nothing alive.
    thread.worker.unref()
    assign()
  }

  function end(thread: Thread): Call | null {
    clearInterval(thread.timer)
    const { call } = thread
    thread.call = null
    return call
  }

  function lose(thread: Thread, reason: NotReadReason, error?: Error): void {
    if (!threads.delete(thread)) return
    void thread.worker.terminate()
    const call = end(thread)
    log.warn({ event: 'inbox.reader_ended', reason, ...(error && { error: error.message }) })
    call?.resolve({ outcome: 'set_aside', reason })
    // One that could not even start is no message's fault: whoever waits tries again later.
    if (!thread.isReady)
      for (const waiting of queue.splice(0)) waiting.reject(error ?? new Error('A thread could not be started.'))
    assign()
  }

  return {
    read,
    async stop() {
      isStopped = true
      const all = [...threads]
      threads.clear()
      const stopped = new Error('Mail is not read any more.')
      for (const call of [...all.map(end), ...queue.splice(0)]) call?.reject(stopped)
      await Promise.all(all.map((thread) => thread.worker.terminate()))
    },
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
