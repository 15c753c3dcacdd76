import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startOtlpDouble, type OtlpDouble } from '@overture/testing/server/otlp-double.server.ts'
import { parseConfig } from '../config.ts'
import { createLogger } from '../log.shell.ts'
import { metrics } from '../metrics.shell.ts'
import { createSpanExporter, type SpanExporter } from './otlp-exporter.client.ts'
import type { FinishedSpan } from './span.ts'
import { formatCause, formatTraceparent, isInShare, parseCause, parseTraceparent } from './trace-context.ts'
import { currentCause, startTracing, traced, tracedPart, traceFacts } from './traces.shell.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'

describe('the traceparent header', () => {
  test.each([
    [`00-${trace}-${parent}-01`, true],
    [`00-${trace}-${parent}-00`, false],
    [`00-${trace}-${parent}-ff`, true],
    [`01-${trace}-${parent}-01-what-comes-later`, true],
  ])('%s is valid', (header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: trace, spanId: parent, sampled })
  })

  test.each([
    undefined,
    '',
    trace,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `ff-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace}-${parent}-1`,
    ` 00-${trace}-${parent}-01`,
    `01-${trace}-${parent}-01-${'x'.repeat(1000)}`,
  ])('%s is invalid', (header) => expect(parseTraceparent(header)).toBeNull())

  test('is read as it was written, as header and in a row', () => {
    const hex = (length: number) =>
      fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text))
    const context = fc.record({ traceId: hex(32), spanId: hex(16), sampled: fc.boolean() })
    fc.assert(
      fc.property(context, fc.nat(), (place, beganMs) => {
        expect(parseTraceparent(formatTraceparent(place))).toEqual(place)
        expect(parseCause(formatCause({ context: place, beganMs }))).toEqual({ context: place, beganMs })
      }),
    )
  })

  test('any other text is null, without an error', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(parseCause(text)).toBeNull()
      }),
    )
  })
})

test('sampling keeps the given share, and the same traces on every node', () => {
  const ids = Array.from(
    { length: 4_000 },
    (_, at) => `${'a'.repeat(24)}${((at * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}`,
  )
  const kept = (share: number) => ids.filter((id) => isInShare(id, share))
  expect(kept(0)).toEqual([])
  expect(kept(1)).toEqual(ids)
  expect(kept(0.25).length / ids.length).toBeCloseTo(0.25, 1)
  expect(kept(0.5)).toEqual(expect.arrayContaining(kept(0.25)))
})

describe('spans', () => {
  let ended: FinishedSpan[]
  let stop: () => void
  beforeEach(() => {
    ended = []
    stop = startTracing({ sink: (span) => ended.push(span), share: 1 })
  })
  afterEach(() => stop())

  test('are nested, also over await and in parallel', async () => {
    await traced('outer', {}, () =>
      Promise.all([1, 2].map((at) => traced(`inner ${at}`, {}, () => new Promise<void>((done) => setImmediate(done))))),
    )
    const [outer] = ended.filter(({ name }) => name === 'outer')
    const inner = ended.filter(({ name }) => name !== 'outer')
    expect(inner.map(({ parentSpanId }) => parentSpanId)).toEqual([outer!.context.spanId, outer!.context.spanId])
    expect(new Set(ended.map(({ context }) => context.traceId)).size).toBe(1)
    expect(new Set(ended.map(({ context }) => context.spanId)).size).toBe(3)
  })

  test('of an error contain its class, not its message', async () => {
    const failing = traced('failing', {}, () => Promise.reject(new RangeError('ada@example.com is too long')))
    await expect(failing).rejects.toThrow(RangeError)
    expect(ended).toMatchObject([{ failed: true, attributes: { 'error.type': 'RangeError' } }])
    expect(JSON.stringify(ended)).not.toContain('ada@')
  })

  test('of a job continue the trace of its row, or link to it if the row is old', async () => {
    let cause: string | null = null
    await traced('request', {}, async () => {
      cause = currentCause()
    })
    await traced('job', { cause }, async () => undefined)
    const [request, job] = ended
    expect(job).toMatchObject({ parentSpanId: request!.context.spanId, link: null })
    expect(job!.context.traceId).toBe(request!.context.traceId)
    const context = { traceId: trace, spanId: parent, sampled: true }
    await traced('late', { cause: formatCause({ context, beganMs: Date.now() - 3_600_000 }) }, async () => undefined)
    expect(ended[2]).toMatchObject({ parentSpanId: null, link: context })
    expect(ended[2]!.context.traceId).not.toBe(trace)
  })

  test("of work that queues itself don't extend one trace forever", async () => {
    const context = { traceId: trace, spanId: parent, sampled: true }
    let cause: string | null = formatCause({ context, beganMs: Date.now() - 599_000 })
    for (let round = 0; round < 3; round++)
      await traced('round', { cause }, async () => {
        cause = currentCause()
      })
    // It is the time when the trace began, not when its last part did.
    expect(parseCause(cause)?.beganMs).toBeLessThanOrEqual(Date.now() - 599_000)
  })

  test("don't include work that continues after their end", async () => {
    let later: Promise<unknown> = Promise.resolve()
    let endSpan = (): void => undefined
    const spanEnded = new Promise<void>((resolve) => (endSpan = resolve))
    await traced('request', {}, async () => {
      later = spanEnded.then(() =>
        tracedPart('too late', {}, async () => expect([currentCause(), traceFacts()]).toEqual([null, {}])),
      )
    })
    endSpan()
    await later
    expect(ended.map(({ name }) => name)).toEqual(['request'])
  })

  test('are not recorded for unsampled traces', async () => {
    const place = { traceId: trace, spanId: parent, sampled: false }
    await traced('request', { parent: place }, async () => {
      expect(traceFacts()).toEqual({ traceId: trace })
      await tracedPart('part', {}, async () => undefined)
    })
    expect(ended).toEqual([])
  })

  test('facts of a log line can be changed without affecting the trace', () => {
    Object.assign(traceFacts(), { of: 'one line' })
    expect(traceFacts()).toEqual({})
  })

  test('without tracing the work runs unchanged, with its own promise', () => {
    stop()
    const own = Promise.resolve(1)
    expect(traced('nothing', {}, () => own)).toBe(own)
    expect(tracedPart('nothing', {}, () => own)).toBe(own)
    expect([currentCause(), traceFacts()]).toEqual([null, {}])
  })
})

describe('trace settings', () => {
  const read = (environment: Record<string, string | undefined>) => parseConfig(environment, '/').traces

  test('are off by default, and otherwise those of OpenTelemetry', () => {
    expect(read({})).toBeNull()
    expect(read({ OTEL_SERVICE_NAME: 'mail' })).toBeNull()
    expect(
      read({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318/',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc, x-team=mail',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toEqual({
      url: 'http://collector.test:4318/v1/traces',
      headers: { authorization: 'Bearer abc', 'x-team': 'mail' },
      serviceName: 'overture',
      share: 0.25,
    })
  })

  test.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'authorization' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%0d%0ab: c' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    { OTEL_TRACES_SAMPLER_ARG: 'all' },
  ])('%j is refused by name', (environment) => {
    expect(() => read(environment)).toThrow(Object.keys(environment)[0])
  })
})

describe('a trace collector', () => {
  let double: OtlpDouble
  let exporter: SpanExporter
  const log = createLogger('silent')
  const begin = (url: string) => {
    exporter = createSpanExporter({
      config: { url: `${url}/v1/traces`, headers: { authorization: 'Bearer abc' }, serviceName: 'overture', share: 1 },
      log,
      instance: 'one',
    })
  }
  const span = (at: number): FinishedSpan => ({
    context: { traceId: trace, spanId: (at + 1).toString(16).padStart(16, '0'), sampled: true },
    parentSpanId: at === 0 ? null : parent,
    name: 'work',
    kind: 'client',
    startMs: Date.now(),
    durationMs: 1.5,
    attributes: { text: 'ä', count: 3, share: 0.5, fine: true },
    link: { traceId: trace, spanId: parent, sampled: true },
    failed: at === 0,
  })
  const counted = async (outcome: string) =>
    Number((await metrics.metrics()).split(`overture_trace_spans_total{outcome="${outcome}"} `)[1]?.split('\n')[0] ?? 0)
  beforeEach(async () => {
    double = await startOtlpDouble()
  })
  afterEach(async () => {
    await exporter.stop()
    await double.stop()
  })

  test('gets the spans in the form of the protocol', async () => {
    begin(double.url)
    for (let at = 0; at < 700; at++) exporter.sink(span(at))
    await expect.poll(() => double.spans.length, { timeout: 60_000 }).toBe(700)
    expect(double.faults).toEqual([])
    expect(double.spans[0]).toEqual({
      traceId: trace,
      spanId: '0000000000000001',
      parentSpanId: null,
      name: 'work',
      kind: 3,
      durationMs: 1.5,
      attributes: { text: 'ä', count: 3, share: 0.5, fine: true },
      links: [{ traceId: trace, spanId: parent }],
      failed: true,
    })
    expect(double.resource).toMatchObject({ 'service.name': 'overture', 'service.instance.id': 'one' })
    expect(double.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer abc', 'Bearer abc'])
  })

  test('that is busy gets each span once after a retry', async () => {
    begin(double.url)
    double.answers.push(503, 429)
    for (let at = 0; at < 10; at++) exporter.sink(span(at))
    await expect.poll(() => double.spans.length, { timeout: 60_000 }).toBe(10)
    expect(double.requests).toHaveLength(3)
  })

  test('that refuses gets no retry', async () => {
    begin(double.url)
    const before = await counted('dropped')
    double.answers.push(400)
    exporter.sink(span(0))
    await expect.poll(() => counted('dropped'), { timeout: 60_000 }).toBe(before + 1)
    exporter.sink(span(1))
    await expect.poll(() => double.spans.map(({ spanId }) => spanId), { timeout: 60_000 }).toEqual(['0000000000000002'])
  })

  test('that is unavailable costs a limited number of spans, which are counted, and delays no stop', async () => {
    double.answers.push('stall', 'stall', 'stall')
    begin(double.url)
    const before = await counted('dropped')
    for (let at = 0; at < 10_000; at++) exporter.sink(span(at))
    expect((await counted('dropped')) - before).toBe(10_000 - 4_096)
    await expect.poll(() => double.requests.length, { timeout: 60_000 }).toBeGreaterThan(0)
    await exporter.stop()
    expect((await counted('dropped')) - before).toBe(10_000)
  })

  test('gets the waiting spans at stop', async () => {
    begin(double.url)
    for (let at = 0; at < 3; at++) exporter.sink(span(at))
    await exporter.stop()
    expect(double.spans).toHaveLength(3)
  })
})
