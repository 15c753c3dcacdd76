import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { launchAtFullSpeed } from '@overture/testing/server/launched-campaign.ts'
import { type OtlpDouble, type ReceivedSpan, startOtlpDouble } from '@overture/testing/server/otlp-double.server.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import type { Logger } from '@overture/server/platform/log.shell.ts'
import { traceFacts } from '@overture/server/platform/traces/traces.shell.ts'
import { readModules, isTest } from './house/source.ts'

// Each test runs a whole server and a collector.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const patience = { timeout: 120_000, interval: 100 }
const traceId = '0af7651916cd43dd8448eb211c80319c'
const caller = 'b7ad6b7169203331'

let otlp: OtlpDouble
let smtp: SmtpDouble
let product: RunningProduct
const lines: string[] = []

beforeAll(async () => {
  otlp = await startOtlpDouble()
  smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret' } })
  const keep = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...String(chunk).trim().split('\n'))
      done()
    },
  })
  const log: Logger = pino({ level: 'debug', base: undefined, mixin: traceFacts }, keep)
  const environment = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url }
  product = await startRunningServer(environment, log)
  await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
})
afterAll(async () => {
  await product.stop()
  await smtp.stop()
  await otlp.stop()
})

/** The names from a span up to the root of its trace. */
function pathOf(span: ReceivedSpan): string[] {
  const parent = otlp.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [span.name, ...(parent === undefined ? [] : pathOf(parent))]
}

test('one trace leads from the launch request to each SMTP conversation', async () => {
  const traced: Pick<RunningProduct, 'live'> = {
    live: (method, path, body) =>
      product.live(method, path, body, path.endsWith('/launch') ? { traceparent: `00-${traceId}-${caller}-01` } : {}),
  }
  await launchAtFullSpeed(traced, smtp, { name: 'Traced', leadCount: 3 })
  await vi.waitFor(() => expect(smtp.accepted).toHaveLength(3), patience)
  const inTrace = (name: string) => otlp.spans.filter((span) => span.traceId === traceId && span.name === name)
  await vi.waitFor(() => expect(inTrace('delivery.smtp')).toHaveLength(3), patience)
  await vi.waitFor(() => expect(inTrace('delivery.record').length).toBeGreaterThan(0), patience)
  await vi.waitFor(() => expect(inTrace('delivery')).not.toEqual([]), patience)
  const [request] = inTrace('POST /v2/campaigns/launch')
  expect(request).toMatchObject({
    parentSpanId: caller,
    kind: 2,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v2/campaigns/launch',
      'http.response.status_code': 201,
      'overture.operation': 'launchCampaign',
      'overture.environment': 'live',
    },
  })
  for (const span of inTrace('delivery.smtp')) {
    expect(span).toMatchObject({ kind: 3, attributes: { 'overture.outcome': 'accepted' } })
    expect(pathOf(span).slice(0, 2)).toEqual(['delivery.smtp', 'delivery'])
    expect(pathOf(span)).toContain('POST /v2/campaigns/launch')
  }
  for (const name of ['db.transaction', 'delivery.plan', 'delivery.compose'])
    expect([name, inTrace(name).length > 0]).toEqual([name, true])
  expect(otlp.faults).toEqual([])
  expect(otlp.resource).toMatchObject({ 'service.name': 'overture' })
})

test('log lines contain their trace id', async () => {
  await vi.waitFor(() => {
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(parsed.find(({ operation }) => operation === 'launchCampaign')).toMatchObject({
      event: 'http.request',
      traceId,
    })
  }, patience)
})

test('a job continues the trace of its request', async () => {
  const id = 'c'.repeat(32)
  const campaign = await product.test('POST', '/v2/campaigns', {
    name: 'To delete',
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi.' }] }],
  })
  const deleted = await product.test('DELETE', `/v2/campaigns/${campaign.body.id}`, undefined, {
    traceparent: `00-${id}-${caller}-01`,
  })
  expect(deleted.status).toBeLessThan(300)
  await vi.waitFor(() => {
    const jobs = otlp.spans.filter((span) => span.traceId === id && span.name.startsWith('job '))
    // The job queues itself again until nothing is left.
    expect([...new Set(jobs.map((job) => `${job.name} < ${pathOf(job).at(-1)}`))]).toEqual([
      'job campaigns.purge < DELETE /v2/campaigns/:id',
    ])
    expect(jobs[0]).toMatchObject({ kind: 5, attributes: { 'overture.outcome': 'done' } })
  }, patience)
})

test('unsampled traces and probes are dropped, and an invalid header starts a new trace', async () => {
  await product.live('GET', '/v2/me', undefined, { traceparent: `00-${'d'.repeat(32)}-${caller}-00` })
  await product.live('GET', '/v2/campaigns', undefined, { traceparent: 'ada@example.com' })
  for (const path of ['/healthz', '/readyz', '/metrics']) await fetch(product.url + path)
  await product.live('GET', '/v2/leads')
  await vi.waitFor(() => expect(otlp.spans.map(({ name }) => name)).toContain('GET /v2/leads'), patience)
  expect(otlp.spans.filter((span) => span.traceId === 'd'.repeat(32))).toEqual([])
  expect(otlp.spans.find(({ name }) => name === 'GET /v2/campaigns')).toMatchObject({ parentSpanId: null })
  expect(otlp.spans.filter(({ name }) => /healthz|readyz|metrics/.test(name))).toEqual([])
})

test('spans contain no address, text, secret or path with an id', () => {
  const all = otlp.requests.map(({ body }) => body).join('\n')
  expect(all.length).toBeGreaterThan(5_000)
  for (const word of ['@', 'Springfield', 'Traced', 'Hi there', 'r1.test', product.keys.live, product.keys.test])
    expect([word, all.includes(word)]).toEqual([word, false])
  // Spans don't contain the password of the mailbox. Statements about secrets are shown by name.
  expect(all).not.toMatch(/\bsecret\b|"\/v2\/campaigns\/cmp_/)
})

test('the trace exporter is loaded only if traces are enabled', () => {
  const production = readModules().filter((module) => !isTest(module))
  const readers = production.filter(({ text }) => /^import (?!type).*otlp-exporter/m.test(text))
  expect(readers.map(({ path }) => path)).toEqual([])
  const importing = production.filter(({ text }) => text.includes("import('./otlp-exporter.client.ts')"))
  expect(importing.map(({ path }) => path)).toEqual(['packages/server/src/platform/traces/open-traces.shell.ts'])
  expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"node_modules/@opentelemetry/sdk')
})
