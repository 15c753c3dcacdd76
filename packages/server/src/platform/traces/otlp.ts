import { spanKinds, type AttributeValue, type FinishedSpan } from './span.ts'

/** Numbers of the protocol: 1 is `internal`, 2 `server`, 3 `client`, 5 `consumer`. */
const kindNumbers = { internal: 1, server: 2, client: 3, consumer: 5 } as const satisfies Record<
  (typeof spanKinds)[number],
  number
>
const statusOfErrors = 2
const nanosecondsPerMicrosecond = 1_000n

/** The body of a request to a collector: OTLP 1.x in JSON, where ids are hexadecimal and large numbers are strings. */
export function otlpBody(
  spans: readonly FinishedSpan[],
  resource: Readonly<Record<string, AttributeValue>>,
  version: string,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: 'overture', version }, spans: spans.map(toOtlpSpan) }],
      },
    ],
  })
}

function toOtlpSpan(span: FinishedSpan) {
  const { context, parentSpanId, link } = span
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name: span.name,
    kind: kindNumbers[span.kind],
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.startMs + span.durationMs),
    attributes: keyValues(span.attributes),
    ...(link !== null && { links: [{ traceId: link.traceId, spanId: link.spanId }] }),
    ...(span.failed && { status: { code: statusOfErrors } }),
  }
}

// The nanoseconds since 1970 have more digits than a double can store.
function nanoseconds(timeMs: number): string {
  return String(BigInt(Math.round(timeMs * 1_000)) * nanosecondsPerMicrosecond)
}

function keyValues(attributes: Readonly<Record<string, AttributeValue>>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** The number of spans that a collector rejected in an accepted batch. */
export function rejectedSpans(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: unknown } }
    const count = Number(partialSuccess?.rejectedSpans ?? 0)
    return Number.isSafeInteger(count) && count > 0 ? count : 0
  } catch {
    return 0
  }
}
