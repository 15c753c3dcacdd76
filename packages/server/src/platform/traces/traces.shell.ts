import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { minuteMs } from '../../ground/time/spans.ts'
import { monotonicMs, systemClock } from '../clock.ts'
import { Span, type Attributes, type SpanKind, type SpanSink } from './span.ts'
import { isInShare, parseCause, type Cause, type TraceContext } from './trace-context.ts'

/** What comes later than this is a trace of its own, which names its cause: work that causes itself would have no end. */
const traceMsMax = 10 * minuteMs

interface TraceKeeping {
  sink: SpanSink
  /** Of all traces, those that are kept: 0 to 1. */
  share: number
}

/** Null: nobody asked for traces, and everything below hands on what it is given. */
let tracing: TraceKeeping | null = null
const active = new AsyncLocalStorage<Span>()

/** From now on spans are made; answers how to end that. */
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
  /** As a row has kept it. */
  cause?: string | null
  /** As a client says it. */
  parent?: TraceContext | null
  /** Asked for when it is done: the span ends when that has settled as well. Whoever called does not wait for it. */
  until?: () => Promise<unknown>
}

/** Runs something as a span, within the one that is under way; without traces it is run as it is, promise and all. */
export function traced<Result>(
  name: string,
  options: SpanOptions,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = beginSpan(name, options)
  return span === null ? run(null) : within(span, () => ending(span, run(span), options.until))
}

/** The same where a span is under way: what nobody asked for has no trace of its own. */
export function tracedPart<Result>(
  name: string,
  options: PartOptions,
  run: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  return currentSpan() === null ? run(null) : traced(name, options, run)
}

function ending<Result>(span: Span, running: Promise<Result>, until?: () => Promise<unknown>): Promise<Result> {
  const whole: Promise<unknown> = until === undefined ? running : bothOf(running, until)
  void whole.then(
    () => endSpan(span),
    (error: unknown) => endSpan(span, error),
  )
  return running
}

async function bothOf(running: Promise<unknown>, until: () => Promise<unknown>): Promise<void> {
  try {
    await running
  } finally {
    await until()
  }
}

/** One that its caller ends, by `endSpan`. Null: there are no traces. */
export function beginSpan(name: string, { kind = 'internal', attributes, cause, parent }: SpanOptions): Span | null {
  if (tracing === null) return null
  const startMs = systemClock.now().getTime()
  const before = currentSpan()?.cause ?? parseCause(cause) ?? causeOf(parent, startMs)
  const goesOn = before !== null && startMs - before.beganMs < traceMsMax
  const traceId = goesOn ? before.context.traceId : randomBytes(16).toString('hex')
  const span = new Span(
    {
      context: {
        traceId,
        spanId: randomBytes(8).toString('hex'),
        sampled: (!goesOn || before.context.sampled) && isInShare(traceId, tracing.share),
      },
      traceBeganMs: goesOn ? before.beganMs : startMs,
      parentSpanId: goesOn ? before.context.spanId : null,
      link: goesOn || before === null ? null : before.context,
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

function causeOf(parent: TraceContext | null | undefined, beganMs: number): Cause | null {
  return parent === null || parent === undefined ? null : { context: parent, beganMs }
}

export function endSpan(span: Span, error?: unknown): void {
  span.end(monotonicMs(), error)
}

/** Runs something, and all that comes of it, within a span. */
export function within<Result>(span: Span, run: () => Result): Result {
  return active.run(span, run)
}

/** What goes on behind an answer, such as a loop that a request began, belongs to no trace any more. */
function currentSpan(): Span | null {
  if (tracing === null) return null
  const span = active.getStore()
  return span === undefined || span.hasEnded ? null : span
}

/** For a row that asks for work: whoever does it goes on with this trace. Null: there is none. */
export function currentCause(): string | null {
  const span = currentSpan()
  return span === null ? null : span.causeText
}

/** For lines of the log; an object of its own for each, for the logger writes the facts of the line into it. */
export function traceFacts(): { traceId?: string } {
  const span = currentSpan()
  return span === null ? {} : { traceId: span.context.traceId }
}
