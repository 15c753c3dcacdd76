import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../../platform/app.ts'
import { withinTime } from '../../platform/clock.ts'
import { describeError } from '../../platform/http/error-body.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { draft } from '../texts/drafter.ts'
import { modelLines } from '../providers/model-file.shell.ts'
import { modelList, type ModelEntry } from '../providers/models.ts'
import { comesBackAt, isOverdue, ProviderBusyError, type WaitingJob } from '../providers/provider-gate.shell.ts'
import { whyUnset } from '../providers/provider-models.client.ts'
import {
  type AskOptions,
  askForText,
  type ModelAnswer,
  NotTheFormError,
  type WritingAsk,
} from '../providers/providers.client.ts'
import { languageDetector } from '../texts/language-detector.shell.ts'
import { findProblems } from '../texts/written-checks.ts'
import type { WritingTask, WrittenEmail } from '../texts/writing.ts'

const tries = 2

export function offeredModels({ config: { ai } }: Pick<App, 'config'>): ModelEntry[] {
  return modelList({
    lines: modelLines(ai),
    offered: {
      openai: ai.openai.models,
      anthropic: ai.anthropic.models,
      google: ai.google.models,
      mistral: ai.mistral.models,
    },
    compatibleModel: ai.compatible?.model ?? null,
    creditsPerGeneration: ai.creditsPerGeneration,
  })
}

/** Why this tenant may not use a model, or null. The test environment uses real models only if the operator enabled them. */
export function whyNotFor(app: Pick<App, 'config'>, tenant: Tenant, entry: ModelEntry): string | null {
  if (entry.provider !== 'builtin' && tenant.environment === 'test' && !app.config.ai.enabledInTest)
    return 'The test environment uses only the built-in drafter. Use its model, or switch to live.'
  return whyUnset(app.config.ai, entry)
}

/** Throws SERVICE_UNAVAILABLE for a model that this tenant may not use. */
export function assertUsable(app: App, tenant: Tenant, entry: ModelEntry): void {
  const reason = whyNotFor(app, tenant, entry)
  if (reason !== null) throw new AppError('SERVICE_UNAVAILABLE', `The model ${entry.id} is not available: ${reason}`)
}

export interface WriteOptions {
  /** Ends the call early because the text is no longer needed. */
  signal?: AbortSignal | undefined
  /** How long to wait in the provider's queue; the whole time of the call unless given. */
  patienceMs?: number | undefined
  /** Called with the unchecked text so far while it is written. */
  onPartial?: ((partial: WrittenEmail) => void) | undefined
  /** Called when the text so far is void. */
  onRestart?: ((reason: string) => void) | undefined
}

/** Limits the total time for all attempts with a provider. Source: docs/contract.md, "AI and credits". */
export function whileAsking<Result>(
  app: App,
  { signal, patienceMs }: WriteOptions,
  ask: (options: AskOptions) => Promise<Result>,
): Promise<Result> {
  const wholeMs = app.config.ai.timeoutSeconds * 1000
  return withinTime(wholeMs, signal, (within) =>
    ask({ signal: within, patienceMs: Math.min(patienceMs ?? wholeMs, wholeMs) }),
  )
}

/**
 * Writes and checks a text. If the checks fail, asks once more, then throws SERVICE_UNAVAILABLE, uncharged (docs/contract.md, "AI
 * and credits"). Throws ProviderBusyError if the provider had no free place within the caller's patience.
 */
export async function write(
  app: App,
  tenant: Tenant,
  { entry, task, ...options }: ModelTask & WriteOptions,
): Promise<ModelAnswer> {
  assertUsable(app, tenant, entry)
  if (entry.provider === 'builtin') {
    const written = draft(task)
    options.onPartial?.(written)
    return { written, promptTokens: 0, completionTokens: 0 }
  }
  return whileAsking(app, options, (asking) => writeWell(app, { entry, task }, { ...options, ...asking }))
}

interface ModelTask {
  entry: ModelEntry
  task: WritingTask
}

async function writeWell(
  app: App,
  { entry, task }: ModelTask,
  { onPartial, onRestart, ...asking }: WriteOptions & AskOptions,
): Promise<ModelAnswer> {
  const spent = { promptTokens: 0, completionTokens: 0 }
  let complaint: string | null = null
  for (let attempt = 1; attempt <= tries; attempt++) {
    if (complaint !== null) onRestart?.(complaint)
    const answer = await askOrComplain(app, entry, { task, ...asking, complaint, onPartial })
    if (answer === null) {
      complaint = 'it was not the requested JSON'
      continue
    }
    spent.promptTokens += answer.promptTokens
    spent.completionTokens += answer.completionTokens
    const problems = findProblems(answer.written, task, task.language === null ? () => null : await languageDetector())
    if (problems.length === 0) return { ...answer, ...spent }
    complaint = problems.join(', ')
  }
  const message = `The text of model ${entry.id} failed the checks: ${complaint ?? ''}.`
  throw new AppError('SERVICE_UNAVAILABLE', `${message} Nothing was charged.`)
}

// Returns null if the model answered in the wrong form, which is worth another try. Other failures are the provider's.
async function askOrComplain(
  app: App,
  entry: ModelEntry,
  { task, ...ask }: WritingAsk & { task: WritingTask },
): Promise<ModelAnswer | null> {
  try {
    return await askForText(app, entry, task, ask)
  } catch (error) {
    if (error instanceof NotTheFormError) return null
    throw providerTrouble(app, entry, error)
  }
}

/** The error for the caller of a failed model call. ProviderBusyError is kept, for jobs that can wait. */
export function providerTrouble(app: App, entry: ModelEntry, error: unknown): Error {
  if (error instanceof ProviderBusyError) return error
  const { name } = describeError(error)
  app.log.warn({ event: 'ai.provider_failed', modelId: entry.id, error: name }, 'ai.provider_failed')
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The provider of ${entry.id} failed. Nothing was charged. Try again later.`,
  )
}

/** The error about a busy provider for a client that waits for a response. */
export function asUnavailable(error: unknown, entry: ModelEntry): unknown {
  if (!(error instanceof ProviderBusyError)) return error
  const seconds = Math.max(1, Math.ceil(error.retryAfterMs / 1000))
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `The provider of ${entry.id} is at its rate limit. Nothing was charged. Try again in ${seconds} s.`,
  )
}

interface FailedJob extends WaitingJob {
  entry: ModelEntry
  isLastAttempt: boolean
}

/**
 * The end of a job whose call failed: it is queued again for a time, or it is given up with a refusal. Throws the error if the same job is
 * tried again. Without credits another try would fail as well, and a job that waited for a day is left to people.
 */
export function afterFailure(
  error: unknown,
  { entry, isLastAttempt, ...waiting }: FailedJob,
): { at: Date } | { refusal: AppError } {
  const at = comesBackAt(error, waiting)
  if (at !== null) return { at }
  const refusal = asUnavailable(error, entry)
  if (!(refusal instanceof AppError)) throw error
  const isFinal = refusal.code === 'INSUFFICIENT_CREDITS' || isLastAttempt || isOverdue(waiting)
  if (!isFinal) throw refusal
  return { refusal }
}
