import type { GenerateEmailInput, GeneratePreviewInput, Generation, LeadFacts } from '@overture/contract/ai.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { balanceOf, releaseReservation, reserve, settleReservation } from '../credits/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Answer, Answered } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { draft } from './drafter.ts'
import { insertGeneration } from './generations.sql.ts'
import { modelList, type ModelEntry } from './models.ts'
import { fillPrompt } from './preset.ts'
import { getPreset } from './presets.commands.ts'
import type { PresetRow } from './presets.sql.ts'
import { askModel, type ModelAnswer, whyUnavailable } from './providers.client.ts'
import { problemsOf } from './written-checks.ts'
import { factsOf, type WritingTask } from './writing.ts'

/** A provider's whole time, retries included. Source: contract 13. */
const generationTimeoutMs = 60_000
const tries = 2

/** How the AI slice, which knows no campaigns, reaches a lead: handed in by the composition. */
export type FindLeadFacts = (
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
) => Promise<LeadFacts | undefined>

export interface AiTools {
  findLeadFacts: FindLeadFacts
}

export function offeredModels(app: App): ModelEntry[] {
  const { ai } = app.config
  return modelList({
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

/** Why this tenant can't use a model now, or null. The test environment reaches no real model unless told to. */
export async function whyNotFor(app: App, tenant: Tenant, entry: ModelEntry): Promise<string | null> {
  if (entry.provider !== 'builtin' && tenant.environment === 'test' && !app.config.ai.enabledInTest)
    return 'The test environment writes with the built-in drafter alone.'
  return whyUnavailable(app.config, entry)
}

interface Prepared {
  entry: ModelEntry
  preset: PresetRow | null
  task: WritingTask
}

type WritingInput = GeneratePreviewInput &
  Partial<Pick<GenerateEmailInput, 'subjectCount' | 'length' | 'tone' | 'language'>>

export async function prepareWriting(app: App, tenant: Tenant, tools: AiTools, input: WritingInput): Promise<Prepared> {
  const entry = offeredModels(app).find((model) => model.id === input.modelId)
  if (!entry) throw notFound()
  const preset = input.presetId === undefined ? null : await getPreset(app.db, tenant, input.presetId)
  const lead = await leadOf(app.db, tenant, tools, input)
  const prompt = fillPrompt(preset?.prompt ?? input.prompt ?? '', new Map(factsOf(lead)))
  const task: WritingTask = {
    kind: input.kind,
    prompt,
    lead,
    subjectCount: input.subjectCount ?? 1,
    length: input.length ?? 'medium',
    tone: input.tone ?? null,
    language: input.language ?? null,
    seed: `${prompt} ${JSON.stringify(factsOf(lead))}`,
  }
  return { entry, preset, task }
}

async function leadOf(db: Executor, tenant: Tenant, tools: AiTools, input: WritingInput): Promise<LeadFacts> {
  if (input.campaignId === undefined || input.leadId === undefined) return input.lead ?? {}
  const lead = await tools.findLeadFacts(db, tenant, { campaignId: input.campaignId, leadId: input.leadId })
  if (!lead) throw notFound()
  return lead
}

/** Short, free, nothing stored. Source: contract 10. */
export async function generatePreview(app: App, tenant: Tenant, tools: AiTools, input: GeneratePreviewInput) {
  const { entry, task } = await prepareWriting(app, tenant, tools, { ...input, length: 'short' })
  const { written } = await write(app, tenant, entry, task)
  return {
    subject: written.subjects[0] ?? '',
    body: written.body,
    modelId: entry.id,
    estimatedCredits: entry.creditsPerGeneration,
  }
}

export interface Generating {
  tools: AiTools
  input: GenerateEmailInput
  now: Date
  answer: Answer<Generation>
}

/** Credits are set aside before the model is asked and taken with the stored result: a failure costs nothing. */
export async function generateEmail(app: App, tenant: Tenant, generating: Generating): Promise<Answered<Generation>> {
  const { input, now } = generating
  const prepared = await prepareWriting(app, tenant, generating.tools, input)
  const amount = prepared.entry.creditsPerGeneration
  const id = newId('gen')
  const charge = { amount, reason: `AI generation with ${prepared.entry.id}`, reference: id, now }
  const reservation = amount === 0 ? null : await app.db.transaction((tx) => reserve(tx, tenant, charge))
  try {
    const modelAnswer = await write(app, tenant, prepared.entry, prepared.task)
    return await generating.answer(async (tx) => {
      const creditsRemaining =
        reservation === null
          ? await balanceOf(tx, tenant)
          : (await settleReservation(tx, tenant, reservation, charge)).balance
      return store(tx, tenant, { id, prepared, modelAnswer, input, now, creditsRemaining })
    })
  } catch (error) {
    if (reservation !== null) await app.db.transaction((tx) => releaseReservation(tx, tenant, reservation))
    throw error
  }
}

interface Storing {
  id: string
  prepared: Prepared
  modelAnswer: ModelAnswer
  input: GenerateEmailInput
  now: Date
  creditsRemaining: number
}

async function store(tx: Transaction, tenant: Tenant, storing: Storing): Promise<Generation> {
  const { id, prepared, modelAnswer, input, now, creditsRemaining } = storing
  const { written, promptTokens, completionTokens } = modelAnswer
  const creditsCharged = prepared.entry.creditsPerGeneration
  const generation: Generation = {
    id,
    subject: written.subjects[0] ?? '',
    body: written.body,
    subjectOptions: written.subjects,
    modelId: prepared.entry.id,
    promptTokens,
    completionTokens,
    creditsCharged,
    creditsRemaining,
  }
  await insertGeneration(tx, tenant, {
    ...generation,
    presetId: prepared.preset?.id ?? null,
    presetVersion: prepared.preset?.version ?? null,
    campaignId: input.campaignId ?? null,
    leadId: input.leadId ?? null,
    kind: input.kind,
    now,
  })
  return generation
}

/** Writes and checks; a text that fails its checks is asked for once more, then 503, uncharged. Source: contract 10. */
export async function write(app: App, tenant: Tenant, entry: ModelEntry, task: WritingTask): Promise<ModelAnswer> {
  const reason = await whyNotFor(app, tenant, entry)
  if (reason !== null) throw new AppError('SERVICE_UNAVAILABLE', `The model ${entry.id} is not available: ${reason}`)
  if (entry.provider === 'builtin') return { written: draft(task), promptTokens: 0, completionTokens: 0 }
  const signal = AbortSignal.timeout(generationTimeoutMs)
  let complaint: string | null = null
  const spent = { promptTokens: 0, completionTokens: 0 }
  for (let attempt = 1; attempt <= tries; attempt++) {
    const answer = await askOrRefuse(app, entry, task, { signal, complaint })
    if (answer === null) {
      complaint = 'it was not the JSON that was asked for'
      continue
    }
    spent.promptTokens += answer.promptTokens
    spent.completionTokens += answer.completionTokens
    const problems = problemsOf(answer.written, task)
    if (problems.length === 0) return { ...answer, ...spent }
    complaint = problems.join(', ')
  }
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    `The model ${entry.id} wrote nothing that passes the checks: ${complaint ?? ''}.`,
  )
}

// Null: the model answered, but not in the form asked for; worth another try. Anything else is the provider's trouble.
async function askOrRefuse(
  app: App,
  entry: ModelEntry,
  task: WritingTask,
  ask: { signal: AbortSignal; complaint: string | null },
): Promise<ModelAnswer | null> {
  try {
    return await askModel(app.config, entry, task, ask)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'AI_NoObjectGeneratedError') return null
    app.log.warn({ event: 'ai.provider_failed', modelId: entry.id, error: name }, 'ai.provider_failed')
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `The provider of ${entry.id} does not answer as it should. Nothing was charged.`,
    )
  }
}
