import { Readable } from 'node:stream'
import type { Generation } from '@overture/contract/ai/ai.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../../platform/app.ts'
import { sleep } from '../../platform/clock.ts'
import { describeError, errorBody, toErrorAnswer } from '../../platform/http/error-body.ts'
import { type GivenAnswer, streaming } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { emailDeltas, eventText, keepAliveText } from '../texts/email-events.ts'
import { beginGeneration, finishGeneration, type GenerationRequest } from './generate.shell.ts'
import type { WrittenEmail } from '../texts/writing.ts'

/** If the model has written nothing yet, a failure within this time becomes an ordinary error response. */
const silenceMsMax = 5_000
const keepAliveMs = 10_000

/**
 * Responds with events while the text is written. A failure before the first word is thrown, as without a stream. A later one is
 * the last event. The charge commits before `result` is sent, and a client that disconnects pays nothing.
 */
export async function streamEmail(
  app: App,
  tenant: Tenant,
  { requestId, ...generating }: GenerationRequest & { requestId: string },
): Promise<GivenAnswer<Generation>> {
  const begun = await beginGeneration(app, tenant, generating)
  const events = createEvents()
  let shown: WrittenEmail = { body: '', subjects: [] }
  const finished = finishGeneration(app, tenant, {
    generating,
    begun,
    onPartial(partial) {
      for (const delta of emailDeltas(shown, partial)) events.say('delta', JSON.stringify(delta))
      shown = partial
    },
    onRestart(reason) {
      shown = { body: '', subjects: [] }
      events.say('restart', JSON.stringify({ reason }))
    },
  })
  const ending = finished.then(
    ({ answered }) => events.end('result', JSON.stringify(answered)),
    (error: unknown) => {
      if (!(error instanceof AppError) && generating.disconnected?.aborted !== true)
        app.log.error({ event: 'ai.stream_failed', requestId, ...describeError(error) }, 'ai.stream_failed')
      events.end('error', errorBody(toErrorAnswer(error), requestId))
    },
  )
  // Waits for the first of these: the whole text, its failure, the first word, or the end of the silence.
  await Promise.race([finished, events.begun, sleep(silenceMsMax, events.begunSignal)])
  events.keepAlive(ending)
  return streaming(events.readable)
}

function createEvents() {
  const beginning = new AbortController()
  let markBegun = (): void => undefined
  const begun = new Promise<void>((resolve) => (markBegun = resolve))
  const readable = new Readable({ read: () => undefined })
  let over = false
  const push = (text: string) => {
    if (!over && !readable.destroyed) readable.push(text)
  }
  return {
    readable,
    begun,
    begunSignal: beginning.signal,
    say(event: 'delta' | 'restart', data: string) {
      push(eventText(event, data))
      markBegun()
      beginning.abort()
    },
    end(event: 'result' | 'error', data: string) {
      beginning.abort()
      push(eventText(event, data))
      if (!over && !readable.destroyed) readable.push(null)
      over = true
    },
    /** Sends the headers at once, and prevents proxies from closing the connection while the model thinks. */
    keepAlive(until: Promise<void>) {
      if (!beginning.signal.aborted) push(keepAliveText)
      const timer = setInterval(() => push(keepAliveText), keepAliveMs)
      timer.unref()
      until.then(
        () => clearInterval(timer),
        () => clearInterval(timer),
      )
    },
  }
}
