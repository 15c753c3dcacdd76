import { sleep } from '../../platform/clock.ts'
import { errorCode, isRefusedValue } from '../../platform/db/errors.ts'
import { errorFacts } from '../../platform/log.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recordFailuresTotal } from '../delivery-metrics.shell.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes, type FinishedMessage } from './record.shell.ts'

const pauseMs = { min: 200, max: 10_000 }
/** The largest number of refusals by the database when recording one message: with its text, and again without it. */
const refusalsMax = 3
const answerLeftOut = 'The server answered with text that could not be stored.'

/**
 * Records outcomes and survives a restart of the database: it retries until the database is back, or throws when the signal
 * aborts. If the database refuses a value, the outcome is recorded without its text. If it is refused even then, the claim is
 * left to expire and counts as uncertain, so that other messages are recorded.
 */
export async function recordPatiently(
  tools: Pick<DeliveryTools, 'app' | 'records' | 'faults'>,
  tenant: Tenant,
  input: { finished: readonly FinishedMessage[]; signal: AbortSignal },
): Promise<void> {
  const { app, faults, records = app.db } = tools
  let { finished } = input
  let refusals = 0
  for (let waitMs = pauseMs.min; ; waitMs = Math.min(waitMs * 2, pauseMs.max)) {
    try {
      await faults.hit('record_in_doubt')
      await records.transaction((tx) => recordOutcomes(tx, tenant, app.secrets, finished))
      return
    } catch (error) {
      // The database's error text repeats the refused value, so it is not logged.
      const refused = isRefusedValue(error)
      const facts = refused ? { code: errorCode(error) } : errorFacts(error as Error)
      recordFailuresTotal.inc()
      app.log.warn({ event: 'delivery.record_failed', count: finished.length, ...facts })
      if (refused) {
        // Records each message separately, so that one refused message doesn't affect the others.
        if (finished.length > 1) return recordEach(tools, tenant, input)
        refusals++
        if (refusals === refusalsMax) finished = finished.map(withoutText)
        if (refusals === refusalsMax * 2) {
          app.log.error({ event: 'delivery.record_given_up', messageId: finished[0]?.message.row.id, ...facts })
          return
        }
      }
      if (!(await sleep(waitMs, input.signal))) throw error
    }
  }
}

async function recordEach(
  tools: Pick<DeliveryTools, 'app' | 'records' | 'faults'>,
  tenant: Tenant,
  { finished, signal }: { finished: readonly FinishedMessage[]; signal: AbortSignal },
): Promise<void> {
  for (const item of finished) await recordPatiently(tools, tenant, { finished: [item], signal })
}

/** The outcome of the message without any text of a person or a server. */
function withoutText(item: FinishedMessage): FinishedMessage {
  return { ...item, message: { ...item.message, subject: '', snippet: '' }, outcome: withoutAnswer(item.outcome) }
}

function withoutAnswer(outcome: Outcome): Outcome {
  return outcome.kind === 'not_sent' ? outcome : { ...outcome, answer: answerLeftOut }
}
