import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { monotonicMs, systemClock } from '../clock.ts'
import { Span, type Attributes, type SpanKind, type SpanSink } from './span.ts'
import { isInShare, parseCause, type Cause, type TraceContext } from './trace-context.ts'

/**
 * Work that begins later than this gets a new trace with a link to its cause. Otherwise the trace of work that enqueues itself
 * would never end.
 */
const traceMsMax = 10 * minuteMs

interface TraceKeeping {
  sink: SpanSink
  /** The share of traces that are kept, 0 to 1. */
  share: number
}

/** Null if traces are off; the functions below then only run what they are given. */
let tracing: TraceKeeping | null = null
const active = new AsyncLocalStorage<Span>()

/** Enables spans from now on; returns a function that disables them. */
export function startTracing(options: TraceKeeping): () => void {
  tracing = options
  return () => {
    if (tracing === options) tracing = null
  }
}

export function isTracing(): boolean {
  return tracing !== null
}

export interface PartOptions {
  kind?: SpanKind
  attributes?: Attributes
}

interface SpanOptions extends PartOptions {
  /** The cause as stored in a row. */
  cause?: string | null
  /** The parent from a client's header. */
  parent?: TraceContext | null
  /** Called when `run` is done. The span ends after this promise too, but the caller of `traced` does not wait for it. */
  until?: () => Promise<unknown>
}

/** Runs a function as a span within the current one. Without traces it returns the promise of the function unchanged. */
export function traced<Result>(
  name: string,
  options: SpanOptions,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = beginSpan(name, options)
  return span === null ? run(null) : within(span, () => ending(span, run(span), options.until))
}

/** The same, but only within a current span: work without a request gets no trace of its own. */
export function tracedPart<Result>(
  name: string,
  options: PartOptions,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  return currentSpan() === null ? run(null) : traced(name, options, run)
}

function ending<Result>(span: Span, running: Promise<Result>, until?: () => Promise<unknown>): Promise<Result> {
  const whole: Promise<unknown> = until === undefined ? running : runThen(running, until)
  void whole.then(
    () => endSpan(span),
    (error: unknown) => endSpan(span, error),
  )
  return running
}

async function runThen(running: Promise<unknown>, until: () => Promise<unknown>): Promise<void> {
  try {
    await running
  } finally {
    await until()
  }
}

/** Begins a span that the caller ends with `endSpan`. Returns null if traces are off. */
export function beginSpan(name: string, { kind = 'internal', attributes, cause, parent }: SpanOptions): Span | null {
  if (tracing === null) return null
  const startMs = systemClock.now().getTime()
  const before = currentSpan()?.cause ?? parseCause(cause) ?? findCause(parent, startMs)
  const isContinued = before !== null && startMs - before.beganMs < traceMsMax
  const traceId = isContinued ? before.context.traceId : randomBytes(16).toString('hex')
  const span = new Span(
    {
      context: {
        traceId,
        spanId: randomBytes(8).toString('hex'),
        sampled: (!isContinued || before.context.sampled) && isInShare(traceId, tracing.share),
      },
      traceBeganMs: isContinued ? before.beganMs : startMs,
      parentSpanId: isContinued ? before.context.spanId : null,
      link: isContinued || before === null ? null : before.context,
      name,
      kind,
      startMs,
      beganMs: monotonicMs(),
    },
    tracing.sink,
  )
  if (attributes !== undefined) span.set(attributes)
  return span
}

function findCause(parent: TraceContext | null | undefined, beganMs: number): Cause | null {
  return parent === null || parent === undefined ? null : { context: parent, beganMs }
}

export function endSpan(span: Span, error?: unknown): void {
  span.end(monotonicMs(), error)
}

/** Runs a function, and all async work that it starts, within a span. */
export function within<Result>(span: Span, run: () => Result): Result {
  return active.run(span, run)
}

/** The current span, unless it has ended: work that continues after it, such as a loop that a request started, belongs to no trace. */
function currentSpan(): Span | null {
  if (tracing === null) return null
  const span = active.getStore()
  return span === undefined || span.hasEnded ? null : span
}

/** The cause to store in a row that requests work, so that the work continues this trace. Null if there is no trace. */
export function currentCause(): string | null {
  const span = currentSpan()
  return span === null ? null : span.causeText
}

/** The trace id for log lines. Each call returns a new object, because the logger adds the facts of the line to it. */
export function traceFacts(): { traceId?: string } {
  const span = currentSpan()
  return span === null ? {} : { traceId: span.context.traceId }
}
