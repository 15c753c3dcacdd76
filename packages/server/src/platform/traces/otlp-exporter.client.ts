import { minuteMs } from '@overture/ground/time/spans.ts'
import { withinTime, monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { traceSpans } from '../metrics.shell.ts'
import { responseText } from '../response-text.client.ts'
import { version } from '../version.ts'
import { otlpBody, rejectedSpans } from './otlp.ts'
import type { AttributeValue, FinishedSpan, SpanSink } from './span.ts'
import type { TracesConfig } from '../traces-config.ts'

/** The number of spans that may wait to be sent, about 4 MB. Beyond it, new spans are dropped and counted. */
const waitingMax = 4_096
const batchMax = 512
const flushEveryMs = 2_000
const requestMsMax = 10_000
const pauseMs = { min: 1_000, max: minuteMs }
const stopMsMax = 3_000
const answerBytesMax = 65_536
/** Statuses of a collector that is busy or away: the request is retried. Other errors would occur again, so they are not. */
const busyStatuses = [408, 429, 502, 503, 504]

export interface SpanExporter {
  sink: SpanSink
  /** Sends the waiting spans, within a short time limit. */
  stop(): Promise<void>
}

interface ExporterOptions {
  config: TracesConfig
  log: Logger
  instance: string
}

/** Sends spans to a collector by OTLP over HTTP, in JSON. It never delays callers: spans beyond the limit are dropped. */
export function createSpanExporter(options: ExporterOptions): SpanExporter {
  const exporter = new Exporter(options)
  return { sink: (span) => exporter.add(span), stop: () => exporter.stop() }
}

type Answer = { kind: 'taken'; rejected: number } | { kind: 'refused' | 'away'; reason: string }

class Exporter {
  readonly #options: ExporterOptions
  readonly #url: string
  readonly #resource: Readonly<Record<string, AttributeValue>>
  readonly #stopping = new AbortController()
  #waiting: FinishedSpan[] = []
  #isAway = false
  #sending: Promise<void>

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#url = options.config.url
    this.#resource = {
      'service.name': options.config.serviceName,
      'service.version': version,
      'service.instance.id': options.instance,
    }
    this.#sending = this.#sendAll()
  }

  add(span: FinishedSpan): void {
    if (this.#waiting.length >= waitingMax) traceSpans.inc({ outcome: 'dropped' })
    else this.#waiting.push(span)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#sending
    const endMs = monotonicMs() + stopMsMax
    while (this.#waiting.length > 0 && monotonicMs() < endMs) {
      const batch = this.#waiting.splice(0, batchMax)
      const leftMs = Math.max(1, endMs - monotonicMs())
      const answer = await withinTime(leftMs, undefined, (signal) => this.#post(batch, signal))
      this.#count(batch, answer)
      if (answer.kind === 'away') break
    }
    traceSpans.inc({ outcome: 'dropped' }, this.#waiting.splice(0).length)
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#stopping
    let waitMs = flushEveryMs
    let awayMs = pauseMs.min
    while (await sleep(waitMs, signal)) {
      const isFine = await this.#sendWaiting()
      waitMs = isFine ? flushEveryMs : awayMs
      awayMs = isFine ? pauseMs.min : Math.min(awayMs * 2, pauseMs.max)
    }
  }

  /** Returns false if the collector is away. */
  async #sendWaiting(): Promise<boolean> {
    while (this.#waiting.length > 0 && !this.#stopping.signal.aborted) {
      const batch = this.#waiting.slice(0, batchMax)
      const answer = await withinTime(requestMsMax, this.#stopping.signal, (signal) => this.#post(batch, signal))
      if (this.#stopping.signal.aborted && answer.kind === 'away') break
      this.#tell(answer)
      // The batch stays at the front: new spans queue after it, and those beyond the limit are dropped.
      if (answer.kind === 'away') return false
      this.#waiting = this.#waiting.slice(batch.length)
      this.#count(batch, answer)
    }
    return true
  }

  async #post(batch: readonly FinishedSpan[], signal: AbortSignal): Promise<Answer> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.#options.config.headers },
        body: otlpBody(batch, this.#resource, version),
        // A redirect could send our credentials to another server.
        redirect: 'error',
        signal,
      })
      const text = (await responseText(answer, answerBytesMax)) ?? ''
      if (answer.ok) return { kind: 'taken', rejected: rejectedSpans(text) }
      return { kind: busyStatuses.includes(answer.status) ? 'away' : 'refused', reason: `status ${answer.status}` }
    } catch (error) {
      const { cause, message } = error as Error
      return { kind: 'away', reason: (cause as { code?: string } | undefined)?.code ?? message }
    }
  }

  #count(batch: readonly FinishedSpan[], answer: Answer): void {
    const sent = answer.kind === 'taken' ? Math.max(0, batch.length - answer.rejected) : 0
    traceSpans.inc({ outcome: 'sent' }, sent)
    traceSpans.inc({ outcome: 'dropped' }, batch.length - sent)
  }

  // Logs once when an outage begins and once when it ends, so that a day without the collector is two lines.
  #tell(answer: Answer): void {
    const { log } = this.#options
    const isAway = answer.kind !== 'taken'
    if (isAway && !this.#isAway) log.warn({ event: 'traces.not_sent', reason: answer.reason })
    if (!isAway && this.#isAway) log.info({ event: 'traces.sent_again' })
    this.#isAway = isAway
  }
}
