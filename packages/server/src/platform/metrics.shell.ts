import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { version } from './version.ts'

/** All metrics of /metrics. Features add their own counters with `registers: [metrics]`. */
export const metrics = new Registry()

export const httpRequests = new Counter({
  name: 'overture_http_requests_total',
  help: 'Requests answered, by operation and status.',
  labelNames: ['operation', 'status'],
  registers: [metrics],
})

/** Counts the remaining requests of deprecated operations, which should end before their last day. */
export const deprecatedRequests = new Counter({
  name: 'overture_deprecated_requests_total',
  help: 'Requests of operations that are deprecated, by operation.',
  labelNames: ['operation'],
  registers: [metrics],
})

export const httpSeconds = new Histogram({
  name: 'overture_http_request_seconds',
  help: 'Time from the first byte of a request to the last of its answer.',
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
  registers: [metrics],
})

export const refusals = new Counter({
  name: 'overture_refusals_total',
  help: 'Rejected requests, by error code.',
  labelNames: ['code'],
  registers: [metrics],
})

export const traceSpans = new Counter({
  name: 'overture_trace_spans_total',
  help: 'Trace spans by outcome; dropped spans were rejected by the collector or could not reach it.',
  labelNames: ['outcome'],
  registers: [metrics],
})

const build = new Gauge({
  name: 'overture_build_info',
  help: '1, with the versions of the product and of Node.js.',
  labelNames: ['version', 'node'],
  registers: [metrics],
})
build.set({ version, node: process.version }, 1)

/** Process metrics (memory, CPU, event loop); called once, by main. */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: metrics })
}
