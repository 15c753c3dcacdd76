import type { GenerateEmailInput, GeneratePreviewInput, Generation, LeadFacts } from '@overture/contract/ai/ai.ts'
import { notFound } from '@overture/contract/errors.ts'
import { type ChargeInput, holdCredits, whileHeld, type HeldCredits } from '../../credits/index.ts'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Answer, GivenAnswer } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { insertGeneration } from './generations.sql.ts'
import type { ModelEntry } from '../providers/models.ts'
import { fillPrompt, namePromptFacts } from '../presets/preset.ts'
import { getPreset } from '../presets/presets.commands.ts'
import type { PresetRow } from '../presets/presets.sql.ts'
import type { ModelAnswer } from '../providers/providers.client.ts'
import { asUnavailable, assertUsable, offeredModels, write, type WriteOptions } from './write.shell.ts'
import { listFacts, type WritingTask } from '../texts/writing.ts'

/** How AI reads the facts of a lead. AI doesn't import campaigns, so the composition root passes this in. */
type FindLeadFacts = (
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
) => Promise<LeadFacts | undefined>

export interface AiTools {
  findLeadFacts: FindLeadFacts
}

export interface PreparedTask {
  entry: ModelEntry
  preset: PresetRow | null
  task: WritingTask
}

type WritingInput = GeneratePreviewInput &
  Partial<Pick<GenerateEmailInput, 'subjectCount' | 'length' | 'tone' | 'language'>>

/** The model, preset and task of a request. Throws NOT_FOUND if one of them doesn't exist. */
export async function prepareWriting(
  app: App,
  tenant: Tenant,
  tools: AiTools,
  input: WritingInput,
): Promise<PreparedTask> {
  const entry = offeredModels(app).find((model) => model.id === input.modelId)
  if (!entry) throw notFound()
  const preset = input.presetId === undefined ? null : await getPreset(app.db, tenant, input.presetId)
  const lead = await readLead(app.db, tenant, tools, input)
  return { entry, preset, task: toTask({ ...input, prompt: preset?.prompt ?? input.prompt ?? '', lead }) }
}

function toTask(input: Omit<WritingInput, 'prompt' | 'lead'> & { prompt: string; lead: LeadFacts }): WritingTask {
  const facts = new Map(listFacts(input.lead))
  const filledPrompt = fillPrompt(input.prompt, facts)
  return {
    kind: input.kind,
    prompt: namePromptFacts(input.prompt, facts),
    filledPrompt,
    lead: input.lead,
    subjectCount: input.subjectCount ?? 1,
    length: input.length ?? 'medium',
    tone: input.tone ?? null,
    language: input.language ?? null,
    seed: `${filledPrompt} ${JSON.stringify([...facts])}`,
  }
}

async function readLead(db: Executor, tenant: Tenant, tools: AiTools, input: WritingInput): Promise<LeadFacts> {
  if (input.campaignId === undefined || input.leadId === undefined) return input.lead ?? {}
  const lead = await tools.findLeadFacts(db, tenant, { campaignId: input.campaignId, leadId: input.leadId })
  if (!lead) throw notFound()
  return lead
}

/** Writes a short text for free and stores nothing. Source: docs/contract.md, "AI and credits". */
export async function generatePreview(app: App, tenant: Tenant, tools: AiTools, input: GeneratePreviewInput) {
  const { entry, task } = await prepareWriting(app, tenant, tools, { ...input, length: 'short' })
  const { written } = await write(app, tenant, { entry, task }).catch((error: unknown) => {
    throw asUnavailable(error, entry)
  })
  return {
    subject: written.subjects[0] ?? '',
    body: written.body,
    modelId: entry.id,
    estimatedCredits: entry.creditsPerGeneration,
  }
}

export interface GenerationRequest {
  tools: AiTools
  input: GenerateEmailInput
  now: Date
  answer: Answer<Generation>
  /** Aborted when the client disconnects. Then the call of the model ends, and nothing is charged. */
  disconnected: AbortSignal | null
}

/** A generation that is ready to begin: its input exists, and its credits are held. */
interface StartedGeneration {
  id: string
  prepared: PreparedTask
  charge: ChargeInput
  held: HeldCredits
}

export async function generateEmail(
  app: App,
  tenant: Tenant,
  generating: GenerationRequest,
): Promise<GivenAnswer<Generation>> {
  return finishGeneration(app, tenant, { generating, begun: await beginGeneration(app, tenant, generating) })
}

/** Throws NOT_FOUND, INSUFFICIENT_CREDITS or SERVICE_UNAVAILABLE if the request can't be fulfilled. */
export async function beginGeneration(
  app: App,
  tenant: Tenant,
  { tools, input, now }: GenerationRequest,
): Promise<StartedGeneration> {
  const prepared = await prepareWriting(app, tenant, tools, input)
  const amount = prepared.entry.creditsPerGeneration
  const id = newId('gen')
  const charge = { amount, reason: `AI generation with ${prepared.entry.id}`, reference: id, now }
  const held = await holdCredits(app.db, tenant, charge)
  return whileHeld(app.db, held, async () => {
    assertUsable(app, tenant, prepared.entry)
    return { id, prepared, charge, held }
  })
}

/** Credits are held before the model is called and charged with the stored result, so a failure costs nothing. */
export async function finishGeneration(
  app: App,
  tenant: Tenant,
  {
    generating,
    begun,
    ...options
  }: { generating: GenerationRequest; begun: StartedGeneration } & Omit<WriteOptions, 'signal'>,
): Promise<GivenAnswer<Generation>> {
  const { entry, task } = begun.prepared
  const writing = whileHeld(app.db, begun.held, async () => {
    const signal = generating.disconnected === null ? {} : { signal: generating.disconnected }
    const modelAnswer = await write(app, tenant, { entry, task, ...options, ...signal })
    // A client that disconnected while the text was checked is not charged.
    generating.disconnected?.throwIfAborted()
    return generating.answer(async (tx) => {
      const { balance: creditsRemaining } = await begun.held.settle(tx)
      return store(tx, tenant, { begun, modelAnswer, generating, creditsRemaining })
    })
  })
  return writing.catch((error: unknown) => {
    throw asUnavailable(error, entry)
  })
}

interface GenerationToStore {
  begun: StartedGeneration
  modelAnswer: ModelAnswer
  generating: GenerationRequest
  creditsRemaining: number
}

async function store(tx: Transaction, tenant: Tenant, storing: GenerationToStore): Promise<Generation> {
  const { begun, modelAnswer, generating, creditsRemaining } = storing
  const { written, promptTokens, completionTokens } = modelAnswer
  const { entry, preset } = begun.prepared
  const generation: Generation = {
    id: begun.id,
    subject: written.subjects[0] ?? '',
    body: written.body,
    subjectOptions: written.subjects,
    modelId: entry.id,
    promptTokens,
    completionTokens,
    creditsCharged: entry.creditsPerGeneration,
    creditsRemaining,
  }
  const { campaignId = null, leadId = null, kind } = generating.input
  await insertGeneration(tx, tenant, {
    ...generation,
    presetId: preset?.id ?? null,
    presetVersion: preset?.version ?? null,
    campaignId,
    leadId,
    kind,
    now: generating.now,
  })
  return generation
}
