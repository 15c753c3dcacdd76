import { formatCause, type Cause, type TraceContext } from './trace-context.ts'

/** Ids, names and counts. Never an address, a text, a path with a token, or a reply of a server. */
export type AttributeValue = string | number | boolean
export type Attributes = Readonly<Record<string, AttributeValue | null | undefined>>

export const spanKinds = ['internal', 'server', 'client', 'consumer'] as const
export type SpanKind = (typeof spanKinds)[number]

/** A finished span, as it is exported. */
export interface FinishedSpan {
  context: TraceContext
  parentSpanId: string | null
  name: string
  kind: SpanKind
  startMs: number
  durationMs: number
  attributes: Readonly<Record<string, AttributeValue>>
  /** The span in another trace that caused it. */
  link: TraceContext | null
  failed: boolean
}

/** Receives finished spans; it must neither wait nor throw. */
export type SpanSink = (span: FinishedSpan) => void

const attributesMax = 32
const textLengthMax = 200

interface SpanStart {
  context: TraceContext
  /** When the whole trace began. */
  traceBeganMs: number
  parentSpanId: string | null
  link: TraceContext | null
  name: string
  kind: SpanKind
  /** The start by the calendar clock, and `beganMs` by the monotonic clock. */
  startMs: number
  beganMs: number
}

export class Span {
  name: string
  readonly context: TraceContext
  readonly #start: SpanStart
  readonly #sink: SpanSink
  readonly #attributes: Record<string, AttributeValue> = {}
  #ended = false
  #failed = false

  constructor(start: SpanStart, sink: SpanSink) {
    this.context = start.context
    this.name = start.name
    this.#start = start
    this.#sink = sink
  }

  get hasEnded(): boolean {
    return this.#ended
  }

  get cause(): Cause {
    return { context: this.context, beganMs: this.#start.traceBeganMs }
  }

  /** The cause as text for a row; `parseCause` reads it. */
  get causeText(): string {
    return formatCause(this.cause)
  }

  set(attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined) continue
      if (!(name in this.#attributes) && Object.keys(this.#attributes).length >= attributesMax) return
      this.#attributes[name] = typeof value === 'string' ? value.slice(0, textLengthMax) : value
    }
  }

  /**
   * Marks a span as failed although it ends without an error, such as for a response with a refusal. `kind` is a word or a
   * status, never a text.
   */
  fail(kind: string): void {
    this.#failed = true
    this.set({ 'error.type': kind })
  }

  /** Ends the span; later calls do nothing. Of an error only its kind is stored, because its message may name a person. */
  end(nowMs: number, error?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    if (!this.context.sampled) return
    if (error !== undefined) this.set({ 'error.type': errorKind(error) })
    const { parentSpanId, kind, startMs, beganMs, link } = this.#start
    this.#sink({
      context: this.context,
      parentSpanId,
      name: this.name,
      kind,
      startMs,
      durationMs: Math.max(0, nowMs - beganMs),
      attributes: this.#attributes,
      link,
      failed: this.#failed || error !== undefined,
    })
  }
}

function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name
}
