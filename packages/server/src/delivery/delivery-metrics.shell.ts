import { Counter, Histogram } from 'prom-client'
import { monotonicMs } from '../platform/clock.ts'
import { metrics } from '../platform/metrics.shell.ts'
import { tracedPart, type PartOptions } from '../platform/traces/traces.shell.ts'
import type { Span } from '../platform/traces/span.ts'

export const messagesTotal = new Counter({
  name: 'overture_messages_total',
  help: 'Attempts to send a message, by environment and outcome.',
  labelNames: ['environment', 'outcome'],
  registers: [metrics],
})

export const recordFailuresTotal = new Counter({
  name: 'overture_record_failures_total',
  help: 'Responses of mail servers that could not be recorded immediately; they are kept and retried.',
  registers: [metrics],
})

export const recoveredTotal = new Counter({
  name: 'overture_messages_recovered_total',
  help: 'Messages that were in flight when their worker ended, by outcome.',
  labelNames: ['outcome'],
  registers: [metrics],
})

const phaseSeconds = new Histogram({
  name: 'overture_delivery_phase_seconds',
  help: 'Duration of the delivery phases: planning a batch of a tenant, writing it, one SMTP conversation, recording responses.',
  labelNames: ['phase'],
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15, 60, 300],
  registers: [metrics],
})

type Phase = 'plan' | 'compose' | 'smtp' | 'record'

/**
 * Measures a phase, whether it succeeds or fails, and adds it to the current trace if there is one. It returns the given promise
 * itself, since each extra turn between a mail server's reply and its record delays the next message.
 */
export function timed<Result>(
  phase: Phase,
  run: (span: Span | null) => Promise<Result>,
  about: PartOptions = {},
): Promise<Result> {
  const beganMs = monotonicMs()
  const running = tracedPart(`delivery.${phase}`, about, run)
  const observe = (): void => phaseSeconds.observe({ phase }, (monotonicMs() - beganMs) / 1000)
  void running.then(observe, observe)
  return running
}
