import { z } from 'zod'
import { bulkDeleteInput, bulkDeleteOutput, deleted, id, listOf, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import {
  createPresetInput,
  generateEmailInput,
  generatePreviewInput,
  generation,
  generationRecord,
  model,
  preset,
  preview,
  updatePresetInput,
} from './ai.ts'

export const aiEndpoints = {
  listModels: endpoint({
    operationId: 'listModels',
    call: 'ai.models.list',
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
    call: 'ai.generatePreview',
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
    call: 'ai.generateEmail',
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
    call: 'ai.generations.list',
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
    call: 'ai.prompts.list',
    method: 'GET',
    path: '/v2/campaigns/ai-prompts',
    scope: 'read',
    tag: 'AI',
    summary: 'List prompt presets',
    description: 'Newest first.',
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
    call: 'ai.prompts.create',
    method: 'POST',
    path: '/v2/campaigns/ai-prompts',
    scope: 'write',
    tag: 'AI',
    summary: 'Create prompt preset',
    description: 'What a model is told for a kind of text; variants of steps name it.',
    body: createPresetInput,
    success: [201],
    output: preset,
    examples: {
      body: { name: 'Cold opener', prompt: 'Write two friendly sentences to {{ firstName }} at {{ company }}.' },
    },
  }),
  getPreset: endpoint({
    operationId: 'getPromptPreset',
    call: 'ai.prompts.get',
    method: 'GET',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'read',
    tag: 'AI',
    summary: 'Get prompt preset',
    description: 'With its version, which grows with each change.',
    success: [200],
    output: preset,
    errors: ['NOT_FOUND'],
  }),
  updatePreset: endpoint({
    operationId: 'updatePromptPreset',
    call: 'ai.prompts.update',
    method: 'PUT',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'write',
    tag: 'AI',
    summary: 'Update prompt preset',
    description:
      'Changes the fields that are sent. Texts that have not left yet are written anew, but for those that a person edited.',
    body: updatePresetInput,
    success: [200],
    output: preset,
    errors: ['NOT_FOUND'],
  }),
  deletePreset: endpoint({
    operationId: 'deletePromptPreset',
    call: 'ai.prompts.delete',
    method: 'DELETE',
    path: '/v2/campaigns/ai-prompts/:id',
    scope: 'write',
    tag: 'AI',
    summary: 'Delete prompt preset',
    description: '409 while a campaign writes with it; `details.blockers` names them.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  bulkDeletePresets: endpoint({
    operationId: 'bulkDeletePromptPresets',
    call: 'ai.prompts.bulkDelete',
    method: 'POST',
    path: '/v2/campaigns/ai-prompts/bulk-delete',
    scope: 'write',
    tag: 'AI',
    summary: 'Bulk delete prompt presets',
    description: 'Answers for each: one that is not there, or in use, fails none of the others.',
    body: bulkDeleteInput,
    itemsOf: 'ids',
    success: [200],
    output: bulkDeleteOutput,
  }),
}
