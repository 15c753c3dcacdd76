import { z } from 'zod'
import { deleted, email, id, listOf, namedObject, pageQuery, subject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { leadFields } from '../campaigns/lead-fields.ts'

const name = z.string().trim().min(1).max(200)
const body = z.string().max(20_000)
const tags = z.array(z.string().trim().min(1).max(50)).max(50)

export const template = namedObject('Template', {
  id: z.string(),
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Template = z.infer<typeof template>

export const createTemplateInput = namedObject('CreateTemplateInput', {
  name,
  subject: subject.default(''),
  body: body.default(''),
  tags: tags.default([]),
})
export const updateTemplateInput = namedObject('UpdateTemplateInput', {
  name: name.optional(),
  subject: subject.optional(),
  body: body.optional(),
  tags: tags.optional(),
  id: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateTemplateInput = z.infer<typeof updateTemplateInput>

/** Exactly one of the two fields. */
export const previewTemplateInput = z
  .strictObject({
    leadId: id.optional(),
    lead: namedObject('TemplateLead', { ...leadFields, email: email.optional() }).optional(),
  })
  .refine((value) => (value.leadId === undefined) !== (value.lead === undefined), {
    message: 'Send either `leadId` or `lead`.',
    path: ['leadId'],
  })
  .meta({ id: 'PreviewTemplateInput' })
export type PreviewTemplateInput = z.infer<typeof previewTemplateInput>

const tag = 'Templates'

export const templateEndpoints = {
  listTemplates: endpoint({
    operationId: 'listTemplates',
    call: 'templates.list',
    method: 'GET',
    path: '/v2/templates',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List templates',
    description: 'Newest first.',
    query: z.strictObject({ ...pageQuery, q: z.string().max(200).optional(), tag: z.string().max(50).optional() }),
    success: [200],
    output: listOf(template),
  }),
  createTemplate: endpoint({
    operationId: 'createTemplate',
    call: 'templates.create',
    method: 'POST',
    path: '/v2/templates',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Create a template',
    description:
      'HTML or plain text with Liquid variables and spintax, as in a step. A text with a syntax error is rejected.',
    body: createTemplateInput,
    success: [201],
    output: template,
  }),
  getTemplate: endpoint({
    operationId: 'getTemplate',
    call: 'templates.get',
    method: 'GET',
    path: '/v2/templates/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a template',
    description: 'Returns the template with its variables.',
    success: [200],
    output: template,
    errors: ['NOT_FOUND'],
  }),
  updateTemplate: endpoint({
    operationId: 'updateTemplate',
    call: 'templates.update',
    method: 'PUT',
    path: '/v2/templates/:id',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Update a template',
    description: 'Changes the fields that are sent. Steps that were created from the template stay as they are.',
    body: updateTemplateInput,
    success: [200],
    output: template,
    errors: ['NOT_FOUND'],
    examples: { body: { subject: 'Hello {{ firstName }}', tags: ['opening'] } },
  }),
  deleteTemplate: endpoint({
    operationId: 'deleteTemplate',
    call: 'templates.delete',
    method: 'DELETE',
    path: '/v2/templates/:id',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Delete a template',
    description: 'Steps that were created from the template stay as they are.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
  previewTemplate: endpoint({
    operationId: 'previewTemplate',
    call: 'templates.preview',
    method: 'POST',
    path: '/v2/templates/:id/preview',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Preview a template',
    description: 'Renders the template for a campaign lead, or for fields of a lead that does not exist.',
    body: previewTemplateInput,
    success: [200],
    output: namedObject('TemplatePreview', { subject: z.string(), text: z.string(), html: z.string().nullable() }),
    errors: ['NOT_FOUND'],
  }),
}
