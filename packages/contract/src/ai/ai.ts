import { z } from 'zod'
import { bulkDeleteInput, bulkDeleteOutput, deleted, id, listOf, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { leadFields } from '../campaigns/lead-fields.ts'

export const model = z.strictObject({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  creditsPerGeneration: z.number().int(),
  contextWindow: z.number().int(),
  available: z.boolean(),
  unavailableReason: z.string().nullable(),
})
export type Model = z.infer<typeof model>

/** The lead written to, in the words of docs/contract.md, "Leads"; the address is not needed for writing. */
const leadFacts = z.strictObject({ email: z.string().max(320).nullable().optional(), ...leadFields })
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

/** Exactly one of preset and prompt; either a lead or one of a campaign, or neither. Source: docs/contract.md, "AI and credits". */
function checkSource(input: Source, context: z.RefinementCtx): void {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (input.presetId === undefined && input.prompt === undefined)
    add('prompt', 'Either prompt or presetId is required.')
  if (input.presetId !== undefined && input.prompt !== undefined) add('prompt', 'Either prompt or presetId, not both.')
  if (input.lead !== undefined && (input.campaignId !== undefined || input.leadId !== undefined))
    add('lead', 'Either lead, or campaignId and leadId, not both.')
  if ((input.campaignId === undefined) !== (input.leadId === undefined))
    add(input.campaignId === undefined ? 'campaignId' : 'leadId', 'campaignId and leadId go together.')
}

export const generatePreviewInput = z
  .strictObject({ ...source, kind: z.enum(['email', 'subject', 'opening']).default('email') })
  .superRefine(checkSource)
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
export type GenerateEmailInput = z.infer<typeof generateEmailInput>

export const preview = z.strictObject({
  subject: z.string(),
  body: z.string(),
  modelId: z.string(),
  estimatedCredits: z.number().int(),
})

export const generation = z.strictObject({
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

/** One call of a model that was paid for or free, without its text. The ledger's entry names it as its reference. */
export const generationRecord = z.strictObject({
  id: z.string(),
  kind: z.enum(['email', 'subject', 'opening', 'step', 'triage']),
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
  .regex(/^[A-Za-z_][A-Za-z0-9_.]{0,99}$/, 'Letters, digits, _ and dots, starting with a letter.')

export const preset = z.strictObject({
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
export const createPresetInput = z.strictObject(presetFields)
export type CreatePresetInput = z.infer<typeof createPresetInput>
export const updatePresetInput = z.strictObject({
  ...presetFields,
  name: presetFields.name.optional(),
  prompt: prompt.optional(),
  id: z.string().optional(),
  version: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdatePresetInput = z.infer<typeof updatePresetInput>

export const aiEndpoints = {
  listModels: endpoint({
    operationId: 'listModels',
    method: 'GET',
    path: '/v2/ai/models',
    scope: 'read',
    tag: 'AI',
    summary: 'List models',
    description: '`available` tells the truth: the key is set, the server answers, the model is there.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(model),
  }),
  generatePreview: endpoint({
    operationId: 'generatePreview',
    method: 'POST',
    path: '/v2/ai/generate-preview',
    scope: 'write',
    tag: 'AI',
    summary: 'Generate preview',
    description: 'Short and free; nothing is stored.',
    body: generatePreviewInput,
    success: [200],
    output: preview,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    examples: {
      body: { modelId: 'builtin/drafter', prompt: 'Invite them to a demo.', kind: 'email', lead: { firstName: 'Ada' } },
    },
  }),
  generateEmail: endpoint({
    operationId: 'generateEmail',
    method: 'POST',
    path: '/v2/ai/generate-email',
    scope: 'write',
    tag: 'AI',
    summary: 'Generate email',
    description:
      'The text is checked before it is answered: no leftover placeholder, no link or number that nobody gave, length, ' +
      'language, no false "Re:". A text that fails is asked for once more. Only a text that passed is charged. With ' +
      '`Accept: text/event-stream` the text is streamed while it is written.',
    body: generateEmailInput,
    streams: {
      description:
        'The text as it is written, with `Accept: text/event-stream`. `delta` carries the next piece of `body`, or of the ' +
        'subject at `index`, as the model says it: not checked yet. `restart`: what was streamed is void, the model is asked ' +
        'again. The last event is `result`, with exactly the JSON answer, or `error`, with the standard error body. ' +
        'Closing the connection cancels the call, and nothing is charged. Errors before the first event are ordinary answers.',
      example:
        'event: delta\ndata: {"field":"body","index":0,"text":"Hi Ada, "}\n\n' +
        'event: delta\ndata: {"field":"subject","index":0,"text":"A quick idea"}\n\n' +
        'event: result\ndata: {"id":"gen_01","subject":"A quick idea","body":"Hi Ada, …","subjectOptions":["A quick idea"],' +
        '"modelId":"builtin/drafter","promptTokens":0,"completionTokens":0,"creditsCharged":0,"creditsRemaining":1000}\n\n',
    },
    success: [201],
    output: generation,
    errors: ['NOT_FOUND', 'INSUFFICIENT_CREDITS', 'SERVICE_UNAVAILABLE'],
  }),
  listGenerations: endpoint({
    operationId: 'listGenerations',
    method: 'GET',
    path: '/v2/ai/generations',
    scope: 'read',
    tag: 'AI',
    summary: 'List generations',
    description:
      'Every text and classification that a model has made, newest first, without the texts. `ai` in the statistics of a ' +
      'campaign is their sum; each is the `reference` of its entry in the ledger.',
    query: z.strictObject({
      ...pageQuery,
      campaignId: id.optional(),
      leadId: id.optional(),
      kind: generationRecord.shape.kind.optional(),
    }),
    success: [200],
    output: listOf(generationRecord),
  }),
  listPresets: endpoint({
    operationId: 'listPromptPresets',
    method: 'GET',
    path: '/v2/campaigns/ai-prompts',
    scope: 'read',
    tag: 'AI',
    summary: 'List prompt presets',
    query: z.strictObject({
      ...pageQuery,
      category: z.string().max(100).optional(),
      q: z.string().max(200).optional(),
    }),
    success: [200],
    output: listOf(preset),
  }),
  createPreset: endpoint({
    operationId: 'createPromptPreset',
    method: 'POST',
    path: '/v2/campaigns/ai-prompts',
    scope: 'write',
    tag: 'AI',
    summary: 'Create prompt preset',
    body: createPresetInput,
    success: [201],
    output: preset,
    examples: {
      body: { name: 'Cold opener', prompt: 'Write two friendly sentences to {{ firstName }} at {{ company }}.' },
    },
  }),
  getPreset: endpoint({
    operationId: 'getPromptPreset',
    method: 'GET',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'read',
    tag: 'AI',
    summary: 'Get prompt preset',
    success: [200],
    output: preset,
    errors: ['NOT_FOUND'],
  }),
  updatePreset: endpoint({
    operationId: 'updatePromptPreset',
    method: 'PUT',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'write',
    tag: 'AI',
    summary: 'Update prompt preset',
    body: updatePresetInput,
    success: [200],
    output: preset,
    errors: ['NOT_FOUND'],
  }),
  deletePreset: endpoint({
    operationId: 'deletePromptPreset',
    method: 'DELETE',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'write',
    tag: 'AI',
    summary: 'Delete prompt preset',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  bulkDeletePresets: endpoint({
    operationId: 'bulkDeletePromptPresets',
    method: 'POST',
    path: '/v2/campaigns/ai-prompts/bulk-delete',
    scope: 'write',
    tag: 'AI',
    summary: 'Bulk delete prompt presets',
    body: bulkDeleteInput,
    itemsOf: 'ids',
    success: [200],
    output: bulkDeleteOutput,
  }),
}
