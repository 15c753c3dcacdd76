import { Counter } from 'prom-client'
import type { streamObject } from 'ai'
import { z } from 'zod'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../../platform/app.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import { sleep } from '../../platform/clock.ts'
import { traced } from '../../platform/traces/traces.shell.ts'
import { type ModelEntry, realProvider } from './models.ts'
import { findGate, ProviderBusyError } from './provider-gate.shell.ts'
import { assertReachable, languageModel } from './provider-models.client.ts'
import { barePart } from '../texts/bare-answer.ts'
import { failureKind } from './provider-pace.ts'
import { instructionsFor, type WritingTask, type WrittenEmail } from '../texts/writing.ts'

const outputTokensMax = 2000
/** Far above the limit of the checks, so that the checks can report a text as too long. */
const writtenLengthMax = 20_000
const tokensMax = 100_000_000
/** The largest number of calls per question if the provider is busy or broken. */
const callsMax = 3

/** The model answered, but in the wrong form. Another try is worthwhile. */
export class NotTheFormError extends Error {}

/** The options of one question. */
export interface AskOptions {
  /** Aborted when the time is over or the answer is no longer needed. */
  signal: AbortSignal
  /** How long to wait in the queue, or after a Retry-After. */
  patienceMs: number
}

export interface Usage {
  promptTokens: number
  completionTokens: number
}

export interface ModelAnswer extends Usage {
  written: WrittenEmail
}

const writtenSchema = z.object({ body: z.string(), subjects: z.array(z.string()) })

export interface WritingAsk extends AskOptions {
  /** The problems of the previous answer. */
  complaint: string | null
  /** Called with the text so far; makes the model stream. */
  onPartial?: ((partial: WrittenEmail) => void) | undefined
}

/** Asks a real model for a text. Throws NotTheFormError, ProviderBusyError, or an error of the provider. */
export async function askForText(
  app: App,
  entry: ModelEntry,
  task: WritingTask,
  ask: WritingAsk,
): Promise<ModelAnswer> {
  const { system, user } = instructionsFor(task)
  const prompt = withComplaint(user, ask.complaint)
  const { value, ...usage } = await askForObject<typeof writtenSchema>(app, entry, {
    ...ask,
    system,
    prompt,
    schema: writtenSchema,
    onPartial: ask.onPartial && ((partial) => ask.onPartial?.(writtenBy(partial))),
  })
  const { body, subjects } = writtenBy(value)
  const wantedSubjects = subjects.map((subject) => subject.trim()).slice(0, task.subjectCount)
  return { written: { body: body.trim(), subjects: wantedSubjects }, ...usage }
}

/** The prompt of the next try, with the problems of the last answer. */
export function withComplaint(prompt: string, complaint: string | null): string {
  return complaint === null ? prompt : `${prompt}\n\nYour last answer was refused: ${complaint}. Fix exactly that.`
}

// Unwritten parts of a partial answer can contain any value.
function writtenBy({ body, subjects }: { body?: unknown; subjects?: readonly unknown[] }): WrittenEmail {
  const texts = (subjects ?? []).filter((subject) => typeof subject === 'string')
  return {
    body: foreignText(typeof body === 'string' ? body : '', writtenLengthMax),
    subjects: texts.map((subject) => foreignText(subject, writtenLengthMax)),
  }
}

const callsTotal = new Counter({
  name: 'overture_ai_calls_total',
  help: 'Calls to AI providers by provider and outcome; "ended" calls timed out or were canceled by the caller.',
  labelNames: ['provider', 'outcome'],
  registers: [metrics],
})

type Sdk = typeof import('ai')

/** The SDK is loaded at the first call of a model: it takes 6 MB, and many servers never call one. */
function readSdk(): Promise<Sdk> {
  return import('ai')
}

type InPart<Value> = { [Key in keyof Value]?: Value[Key] }

interface ObjectAsk<Schema extends z.ZodType> extends AskOptions {
  system: string
  prompt: string
  schema: Schema
  onPartial?: ((partial: InPart<z.output<Schema>>) => void) | undefined
}

/** Asks for an object of a schema, within the provider's limits. Waits if the provider is busy, and retries if it is broken. */
export async function askForObject<Schema extends z.ZodType>(
  app: App,
  entry: ModelEntry,
  ask: ObjectAsk<Schema>,
): Promise<Usage & { value: z.output<Schema> }> {
  const gate = findGate(app.config.ai, entry.provider)
  await assertReachable(app, realProvider(entry))
  const attributes = { 'gen_ai.request.model': entry.id, 'gen_ai.provider.name': entry.provider }
  let hasPartial = false
  const onPartial =
    ask.onPartial && ((partial: InPart<z.output<Schema>>) => ((hasPartial = true), ask.onPartial?.(partial)))
  for (let call = 1; ; call++) {
    const leave = await gate.enter(ask)
    let waitMs: number
    try {
      const answer = await traced('ai', { kind: 'client', attributes }, () =>
        untilAborted(callOnce(app, entry, { ...ask, onPartial }), ask.signal),
      )
      callsTotal.inc({ provider: entry.provider, outcome: 'answered' })
      return answer
    } catch (error) {
      const failure = readFailure(await readSdk(), error, app.clock.now())
      callsTotal.inc({ provider: entry.provider, outcome: ask.signal.aborted ? 'ended' : failure.kind })
      if (failure.kind === 'busy') gate.pause(failure.waitMs)
      if (failure.kind === 'busy' && failure.waitMs > ask.patienceMs) throw new ProviderBusyError(failure.waitMs)
      // Streamed text can't be taken back here, so the caller decides whether to start again.
      if (failure.kind === 'refused' || call === callsMax || hasPartial || ask.signal.aborted) throw error
      waitMs = failure.waitMs
    } finally {
      leave()
    }
    await sleep(waitMs, ask.signal)
  }
}

// Rejects at the abort, even if the library doesn't, so that place, credits and client are free at once.
function untilAborted<Value>(call: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function readFailure({ APICallError }: Sdk, error: unknown, now: Date) {
  if (!APICallError.isInstance(error)) return { kind: 'refused' } as const
  if (error.statusCode === undefined && !error.isRetryable) return { kind: 'refused' } as const
  // A response of 200 that can't be parsed is the provider's fault and isn't retried here.
  if (error.statusCode !== undefined && error.statusCode < 400) return { kind: 'refused' } as const
  const { statusCode: status = null, responseHeaders: headers = {}, responseBody: body } = error
  return failureKind({ status, headers, body }, now)
}

async function callOnce<Schema extends z.ZodType>(app: App, entry: ModelEntry, ask: ObjectAsk<Schema>) {
  const sdk = await readSdk()
  const call = {
    model: await languageModel(app.config.ai, entry),
    schema: ask.schema,
    system: ask.system,
    prompt: ask.prompt,
    maxOutputTokens: outputTokensMax,
    maxRetries: 0,
    experimental_repairText: ({ text }: { text: string }) => Promise.resolve(barePart(text)),
    abortSignal: ask.signal,
  }
  try {
    const result = ask.onPartial === undefined ? await sdk.generateObject(call) : await streamed(sdk, call, ask)
    return {
      value: result.object as z.output<Schema>,
      promptTokens: tokenCount(result.usage.inputTokens),
      completionTokens: tokenCount(result.usage.outputTokens),
    }
  } catch (error) {
    if (sdk.NoObjectGeneratedError.isInstance(error)) throw new NotTheFormError('not the form that was asked for')
    throw error
  }
}

// A server's token counts may be any value, so they are rounded and bounded.
function tokenCount(reported: number | undefined): number {
  return Number.isFinite(reported) ? Math.min(Math.max(Math.round(reported ?? 0), 0), tokensMax) : 0
}

async function streamed<Schema extends z.ZodType>(
  sdk: Sdk,
  call: Parameters<typeof streamObject<Schema>>[0],
  ask: ObjectAsk<Schema>,
) {
  // Errors come out of the stream below. Without this handler the library also writes them to the console.
  const result = sdk.streamObject({ ...call, onError: () => undefined })
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'object') ask.onPartial?.(part.object as InPart<z.output<Schema>>)
  }
  ask.signal.throwIfAborted()
  return { object: await result.object, usage: await result.usage }
}
