import type { Logger } from '../../platform/log.shell.ts'
import { WatchedThread, type EndReason } from '../../platform/threads/watched-thread.client.ts'
import type {
  AttachmentReader,
  FileReading,
  MailReader,
  MailReading,
  NotReadReason,
  PublishedCalendarReading,
  ReportReader,
  ReportReading,
  TestReader,
  TestReading,
} from './mail-reader.ts'
import type { BusySpan } from '@overture/mail-reading/calendars/busy-times.ts'
import type { ReceivedAt } from '@overture/mail-reading/placement/received-test.ts'
import type { ItemReading, ReadingItem } from '@overture/mail-reading/reading/read-message.ts'

export interface ReadingThreadsOptions {
  log: Logger
  /** CPU time for one message, or for one file of it. */
  secondsMax: number
  /** The heap of one thread. */
  mebibytesMax: number
  threadsMax: number
  /** The script that a thread runs. */
  boot?: URL
}

export interface ReadingThreads extends MailReader, AttachmentReader, ReportReader, TestReader {
  readCalendar(raw: Uint8Array, span: BusySpan): Promise<PublishedCalendarReading>
  stop(): Promise<void>
}

/** CPU time for one report. The largest one that is permitted needs a few seconds. */
const reportSecondsMax = 10
/** The first failure may be caused by a machine that stood still, or by leftovers of another message. */
const endsMax = 2
const stoppedMessage = 'Mail is not read any more.'
const reasons: Record<EndReason, NotReadReason> = {
  too_slow: 'too_slow',
  out_of_memory: 'out_of_memory',
  failed: 'reader_failed',
}

type ItemResult = MailReading | FileReading | PublishedCalendarReading | ReportReading | TestReading

interface Call {
  item: ReadingItem
  ends: number
  resolve(reading: ItemResult): void
  reject(error: Error): void
}

type Thread = WatchedThread<ReadingItem, ItemReading>

/**
 * Reads mail of strangers in threads, which are started on demand and kept. A thread that takes too long, uses too much memory
 * or dies is replaced. A message that ends two threads is set aside.
 */
export function createReadingThreads(options: ReadingThreadsOptions): ReadingThreads {
  return new WatchedReaders(options)
}

class WatchedReaders implements ReadingThreads {
  readonly #options: ReadingThreadsOptions
  readonly #boot: URL
  readonly #idle: Thread[] = []
  readonly #busy = new Set<Thread>()
  readonly #queue: Call[] = []
  #isStopped = false

  constructor(options: ReadingThreadsOptions) {
    this.#options = options
    this.#boot = options.boot ?? new URL('./reading.boot.mjs', import.meta.url)
  }

  // A thread returns the kind of result that was requested.
  read(raw: Uint8Array): Promise<MailReading> {
    return this.#ask({ kind: 'message', raw }) as Promise<MailReading>
  }

  readAttachment(raw: Uint8Array, n: number): Promise<FileReading> {
    return this.#ask({ kind: 'attachment', raw, n }) as Promise<FileReading>
  }

  readCalendar(raw: Uint8Array, span: BusySpan): Promise<PublishedCalendarReading> {
    return this.#ask({ kind: 'calendar', raw, span }) as Promise<PublishedCalendarReading>
  }

  readReport(raw: Uint8Array, options: { n: number | null; nowMs: number }): Promise<ReportReading> {
    return this.#ask({ kind: 'report', raw, ...options }) as Promise<ReportReading>
  }

  readReceivedTest(raw: Uint8Array, at: ReceivedAt): Promise<TestReading> {
    return this.#ask({ kind: 'received_test', raw, at }) as Promise<TestReading>
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const call of this.#queue.splice(0)) call.reject(new Error(stoppedMessage))
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.stop()))
  }

  #ask(item: ReadingItem): Promise<ItemResult> {
    return new Promise((resolve, reject) => {
      if (this.#isStopped) return reject(new Error(stoppedMessage))
      this.#queue.push({ item, ends: 0, resolve, reject })
      this.#assign()
    })
  }

  #assign(): void {
    while (this.#queue.length > 0 && this.#busy.size < this.#options.threadsMax) {
      const thread = this.#idle.pop() ?? new WatchedThread({ boot: this.#boot, heapMaxMb: this.#options.mebibytesMax })
      this.#busy.add(thread)
      void this.#serve(thread, this.#queue.shift()!)
    }
  }

  async #serve(thread: Thread, call: Call): Promise<void> {
    try {
      // A copy, because the message may be in a shared block of memory, all of which would be transferred.
      const { secondsMax } = this.#options
      const seconds = call.item.kind === 'report' ? Math.max(secondsMax, reportSecondsMax) : secondsMax
      const limits = { sliceMs: 0, itemMs: seconds * 1_000 }
      const result = await thread.answer([{ ...call.item, raw: new Uint8Array(call.item.raw) }], limits)
      if (result.kind === 'answered') call.resolve(result.answers[0]!)
      else this.#takeEnd(call, result.why)
    } catch (error) {
      // A thread that could not start says nothing about the message, so the caller tries again later.
      call.reject(this.#isStopped ? new Error(stoppedMessage) : (error as Error))
    } finally {
      this.#busy.delete(thread)
      if (!thread.over) this.#idle.push(thread)
      this.#assign()
    }
  }

  #takeEnd(call: Call, why: EndReason): void {
    this.#options.log.warn({ event: 'inbox.reader_ended', why })
    call.ends++
    if (this.#isStopped) call.reject(new Error(stoppedMessage))
    else if (call.ends < endsMax) this.#queue.unshift(call)
    else call.resolve({ outcome: 'set_aside', reason: reasons[why] })
  }
}
