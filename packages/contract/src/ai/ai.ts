import { z } from 'zod'
import { id, namedObject, timestamp } from '../common.ts'
import { leadFields } from '../campaigns/lead-fields.ts'

export const model = namedObject('Model', {
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  creditsPerGeneration: z.number().int(),
  contextWindow: z.number().int(),
  available: z.boolean(),
  unavailableReason: z.string().nullable(),
})
export type Model = z.infer<typeof model>

/** The lead to write to, with the fields of docs/contract.md, "Leads". The address is not needed for writing. */
const leadFacts = namedObject('LeadFacts', { email: z.string().max(320).nullable().optional(), ...leadFields })
export type LeadFacts = z.infer<typeof leadFacts>

const modelId = z.string().min(1).max(200)
const prompt = z.string().trim().min(1).max(20_000)
const source = {
  modelId: id,
  presetId: id.optional(),
  prompt: prompt.optional(),
  lead: leadFacts.optional(),
  campaignId: id.optional(),
  leadId: id.optional(),
}

type Source = { presetId?: unknown; prompt?: unknown; lead?: unknown; campaignId?: unknown; leadId?: unknown }

/** Requires exactly one of preset and prompt, and at most one of `lead` and `leadId`. Source: docs/contract.md, "AI and credits". */
function checkSource(input: Source, context: z.RefinementCtx): void {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (input.presetId === undefined && input.prompt === undefined) add('prompt', 'Send either prompt or presetId.')
  if (input.presetId !== undefined && input.prompt !== undefined)
    add('prompt', 'Send either prompt or presetId, not both.')
  if (input.lead !== undefined && (input.campaignId !== undefined || input.leadId !== undefined))
    add('lead', 'Send either lead, or campaignId and leadId, not both.')
  if ((input.campaignId === undefined) !== (input.leadId === undefined))
    add(input.campaignId === undefined ? 'campaignId' : 'leadId', 'Send campaignId and leadId together.')
}

export const generatePreviewInput = z
  .strictObject({ ...source, kind: z.enum(['email', 'subject', 'opening']).default('email') })
  .superRefine(checkSource)
  .meta({ id: 'GeneratePreviewInput' })
export type GeneratePreviewInput = z.infer<typeof generatePreviewInput>

export const generateEmailInput = z
  .strictObject({
    ...source,
    kind: z.enum(['email', 'subject', 'opening']).default('email'),
    subjectCount: z.number().int().min(1).max(5).default(1),
    length: z.enum(['short', 'medium', 'long']).default('medium'),
    tone: z.string().trim().min(1).max(100).optional(),
    language: z.string().trim().min(2).max(50).optional(),
  })
  .superRefine(checkSource)
  .meta({ id: 'GenerateEmailInput' })
export type GenerateEmailInput = z.infer<typeof generateEmailInput>

export const preview = namedObject('GeneratedPreview', {
  subject: z.string(),
  body: z.string(),
  modelId: z.string(),
  estimatedCredits: z.number().int(),
})

export const generation = namedObject('Generation', {
  id: z.string(),
  subject: z.string(),
  body: z.string(),
  subjectOptions: z.array(z.string()),
  modelId: z.string(),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  creditsCharged: z.number().int(),
  creditsRemaining: z.number().int(),
})
export type Generation = z.infer<typeof generation>

/** One call of a model, paid or free, without its text. The ledger entry has its id as the reference. */
export const generationRecord = namedObject('GenerationRecord', {
  id: z.string(),
  kind: z.enum(['email', 'subject', 'opening', 'step', 'triage', 'reply']),
  modelId: z.string(),
  presetId: z.string().nullable(),
  presetVersion: z.number().int().nullable(),
  campaignId: z.string().nullable(),
  leadId: z.string().nullable(),
  stepId: z.string().nullable(),
  messageId: z.string().nullable(),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  creditsCharged: z.number().int(),
  createdAt: timestamp,
})
export type GenerationRecord = z.infer<typeof generationRecord>

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_.]{0,99}$/, 'Use letters, digits, _ and dots, starting with a letter.')

export const preset = namedObject('PromptPreset', {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  prompt: z.string(),
  modelId: z.string().nullable(),
  variables: z.array(z.string()),
  version: z.number().int(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Preset = z.infer<typeof preset>

const presetFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2000).nullable().optional(),
  category: z.string().trim().min(1).max(100).nullable().optional(),
  prompt,
  modelId: modelId.nullable().optional(),
  variables: z.array(variableName).max(100).optional(),
}
export const createPresetInput = namedObject('CreatePromptPresetInput', presetFields)
export type CreatePresetInput = z.infer<typeof createPresetInput>
export const updatePresetInput = namedObject('UpdatePromptPresetInput', {
  ...presetFields,
  name: presetFields.name.optional(),
  prompt: prompt.optional(),
  id: z.string().optional(),
  version: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdatePresetInput = z.infer<typeof updatePresetInput>
