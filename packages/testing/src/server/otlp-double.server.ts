import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A received span, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: number
  durationMs: number
  attributes: Record<string, string | number | boolean>
  links: { traceId: string; spanId: string }[]
  failed: boolean
}

export interface OtlpDouble {
  /** The collector URL for the product's settings. */
  url: string
  spans: ReceivedSpan[]
  /** The received requests with their headers. */
  requests: { body: string; headers: Record<string, string | string[] | undefined> }[]
  /** Violations of the OTLP protocol in the received data. */
  faults: string[]
  /** Statuses of the next responses; later ones are 200. `stall` never responds. */
  answers: (number | 'stall')[]
  /** The attributes of the sending resource. */
  resource: Record<string, string | number | boolean>
  stop(): Promise<void>
}

/** Starts a collector that accepts OTLP over HTTP in JSON and records every violation of the protocol as a fault. */
export async function startOtlpDouble(): Promise<OtlpDouble> {
  const server = createServer((request, answer) => {
    void text(request).then((body) => {
      double.requests.push({ body, headers: request.headers })
      const status = double.answers.shift() ?? 200
      if (status === 'stall') return
      if (status === 200) take(request.method, request.url, request.headers['content-type'], body)
      answer.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  function take(method: string | undefined, url: string | undefined, type: string | undefined, body: string): void {
    if (method !== 'POST' || url !== '/v1/traces') double.faults.push(`asked for ${method} ${url}`)
    if (type !== 'application/json') double.faults.push(`sent as ${type}`)
    const { spans, resource } = decode(JSON.parse(body) as Message, double.faults)
    double.spans.push(...spans)
    Object.assign(double.resource, resource)
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const double: OtlpDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    faults: [],
    answers: [],
    resource: {},
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return double
}

type Value = { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number }
type KeyValues = { key: string; value: Value }[]

interface Message {
  resourceSpans: {
    resource: { attributes: KeyValues }
    scopeSpans: { scope: { name: string }; spans: WrittenSpan[] }[]
  }[]
}

interface WrittenSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValues
  links?: { traceId: string; spanId: string }[]
  status?: { code: number }
}

function decode(message: Message, faults: string[]) {
  const groups = message.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.map((one) => ({ resource, one })),
  )
  const written = groups.flatMap(({ one }) => one.spans)
  return {
    resource: Object.assign({}, ...groups.map(({ resource }) => read(resource.attributes, faults))) as Record<
      string,
      string
    >,
    spans: written.map((span): ReceivedSpan => {
      faults.push(...findFaults(span))
      const lasted = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)
      return {
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? null,
        name: span.name,
        kind: span.kind,
        durationMs: Number(lasted / 1000n) / 1000,
        attributes: read(span.attributes, faults),
        links: span.links ?? [],
        failed: span.status?.code === 2,
      }
    }),
  }
}

function findFaults(span: WrittenSpan): string[] {
  const id = (text: string, length: number) => text.length === length && /^[0-9a-f]+$/.test(text) && !/^0+$/.test(text)
  const checks: [boolean, string][] = [
    [id(span.traceId, 32), 'trace id'],
    [id(span.spanId, 16), 'span id'],
    [span.parentSpanId === undefined || id(span.parentSpanId, 16), 'parent'],
    [span.name !== '', 'name'],
    [[1, 2, 3, 4, 5].includes(span.kind), 'kind'],
    // Nineteen digits: nanoseconds since 1970, as text.
    [/^\d{19}$/.test(span.startTimeUnixNano) && /^\d{19}$/.test(span.endTimeUnixNano), 'times'],
    [BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), 'order of times'],
  ]
  return checks.filter(([fine]) => !fine).map(([, what]) => `${span.name}: ${what}`)
}

function read(attributes: KeyValues, faults: string[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const given = Object.values(value)
      if (given.length !== 1 || key === '') faults.push(`${key}: not one value`)
      const { intValue, stringValue, boolValue, doubleValue } = value
      return [key, intValue === undefined ? (stringValue ?? boolValue ?? doubleValue ?? '') : Number(intValue)]
    }),
  )
}
