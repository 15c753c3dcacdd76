import { sleep } from '../../platform/clock.ts'
import { errorCode, isRefusedValue } from '../../platform/db/errors.ts'
import { errorFacts } from '../../platform/log.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recordFailuresTotal } from '../delivery-metrics.shell.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import type { Outcome } from '../outcome.ts'
import { recordOutcomes, type FinishedMessage } from './record.shell.ts'

const pauseMs = { min: 200, max: 10_000 }
/** How often the database may refuse what is to be recorded of one message, with its text and again without. */
const refusalsMax = 3
const answerLeftOut = 'The server answered with text that could not be stored.'

/**
 * The answer of a mail server is not thrown away because the database restarts: recording is tried until it is back, or
 * the signal says to stop, which throws. What the database refuses for its content is recorded without its text; what it
 * refuses even then is left to its lease, after which it counts as uncertain, so that the queue goes on.
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
      // What the database says of a value repeats it.
      const refused = isRefusedValue(error)
      const facts = refused ? { code: errorCode(error) } : errorFacts(error as Error)
      recordFailuresTotal.inc()
      app.log.warn({ event: 'delivery.record_failed', count: finished.length, ...facts })
      if (refused) {
        // One message that can't be recorded must not keep the others from it.
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

/** What became of the message, without a word of anybody's. */
function withoutText(item: FinishedMessage): FinishedMessage {
  return { ...item, message: { ...item.message, subject: '', snippet: '' }, outcome: withoutAnswer(item.outcome) }
}

function withoutAnswer(outcome: Outcome): Outcome {
  return outcome.kind === 'not_sent' ? outcome : { ...outcome, answer: answerLeftOut }
}
