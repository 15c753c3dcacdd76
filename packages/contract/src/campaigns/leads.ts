import { z } from 'zod'
import { listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { interests, leadStatuses } from '../vocabularies.ts'
import { addLeadsInput, addLeadsOutput, leadFields, leadProfile } from './lead-fields.ts'

export const leadStatus = z.enum(leadStatuses).meta({ id: 'LeadStatus' })
export type LeadStatus = z.infer<typeof leadStatus>

/** In the order in which the first that holds is told. Source: docs/contract.md, "Leads". */
export const blockedReasons = [
  'suppressed',
  'delivery_uncertain',
  'missing_variable',
  'awaiting_approval',
  'campaign_not_active',
  'sender_unavailable',
  'inbox_not_read',
  'wait_not_over',
  'outside_window',
  'daily_limit',
  'new_lead_limit',
  'sender_daily_limit',
  'recipient_domain_limit',
  'sender_gap',
] as const
export const blockedReason = z.enum(blockedReasons).meta({ id: 'BlockedReason' })
export type BlockedReason = z.infer<typeof blockedReason>

export const interest = z.enum(interests).meta({ id: 'Interest' })
export type Interest = z.infer<typeof interest>

export { leadStatusMoves } from '../vocabularies.ts'

const nullableText = z.string().nullable()
export const stoppedBy = namedObject('StoppedBy', {
  rule: z.string(),
  leadId: nullableText,
  email: nullableText,
}).nullable()
export type StoppedBy = z.infer<typeof stoppedBy>

export const lead = namedObject('Lead', {
  id: z.string(),
  campaignId: z.string(),
  email: z.string(),
  ...leadProfile,
  customVariables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  status: leadStatus,
  blockedReason: blockedReason.nullable(),
  interest: interest.nullable(),
  currentStep: z.number().int(),
  nextSendAt: timestamp.nullable(),
  lastContactedAt: timestamp.nullable(),
  sendingAccountId: nullableText,
  openCount: z.number().int(),
  clickCount: z.number().int(),
  replyCount: z.number().int(),
  stoppedBy,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Lead = z.infer<typeof lead>

/** Read-only fields may be sent back unchanged; changing one is 400. */
export const updateLeadInput = namedObject('UpdateLeadInput', {
  ...leadFields,
  interest: interest.nullable().optional(),
  status: leadStatus.optional(),
  id: z.string().optional(),
  campaignId: z.string().optional(),
  email: z.string().optional(),
  blockedReason: nullableText.optional(),
  currentStep: z.number().optional(),
  nextSendAt: nullableText.optional(),
  lastContactedAt: nullableText.optional(),
  sendingAccountId: nullableText.optional(),
  openCount: z.number().optional(),
  clickCount: z.number().optional(),
  replyCount: z.number().optional(),
  stoppedBy: z.unknown().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateLeadInput = z.infer<typeof updateLeadInput>

export const importJob = namedObject('Import', {
  id: z.string(),
  campaignId: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  rowsRead: z.number().int(),
  added: z.number().int(),
  updated: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  errorsUrl: nullableText,
  error: nullableText,
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})
export type ImportJob = z.infer<typeof importJob>

/** A thousand leads. */
const leadsBytesMax = 10 * 1024 * 1024

export const leadEndpoints = {
  listCampaignLeads: endpoint({
    operationId: 'listCampaignLeads',
    call: 'campaigns.leads.list',
    method: 'GET',
    path: '/v2/campaigns/:id/leads',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'List campaign leads',
    query: z.strictObject({
      ...pageQuery,
      status: leadStatus.optional(),
      interest: interest.optional(),
      blockedReason: blockedReason.optional(),
      email: z.string().max(320).optional(),
      q: z.string().max(200).optional(),
    }),
    success: [200],
    output: listOf(lead),
    errors: ['NOT_FOUND'],
  }),
  addCampaignLeads: endpoint({
    operationId: 'addCampaignLeads',
    call: 'campaigns.leads.add',
    method: 'POST',
    path: '/v2/campaigns/:id/leads',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Add campaign leads',
    description: 'Answers per item; one bad item never fails the call.',
    body: addLeadsInput,
    bodyBytesMax: leadsBytesMax,
    itemsOf: 'leads',
    success: [200],
    output: addLeadsOutput,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    examples: { body: { leads: [{ email: 'ada@example.com', firstName: 'Ada', customVariables: { plan: 'pro' } }] } },
  }),
  getCampaignLead: endpoint({
    operationId: 'getCampaignLead',
    call: 'campaigns.leads.get',
    method: 'GET',
    path: '/v2/campaigns/:id/leads/:leadId',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get campaign lead',
    success: [200],
    output: lead,
    errors: ['NOT_FOUND'],
  }),
  updateCampaignLead: endpoint({
    operationId: 'updateCampaignLead',
    call: 'campaigns.leads.update',
    method: 'PUT',
    path: '/v2/campaigns/:id/leads/:leadId',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Update campaign lead',
    body: updateLeadInput,
    success: [200],
    output: lead,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  importCampaignLeads: endpoint({
    operationId: 'importCampaignLeads',
    call: 'campaigns.leads.import',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/import',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Import campaign leads from CSV',
    description:
      'Streamed, up to 1,000,000 rows and 256 MiB (a server may be set to take more or less), one file at a time per key: a second one is 409. The header names lead fields; other columns become custom variables: `Deal size` is `DealSize`, `Città` is `Citta`, a title without a Latin letter or a digit is `column` and its number, and of two that would be the same the second is `DealSize2`. Columns stand between commas, semicolons, tabs or bars; UTF-8, UTF-16 and Windows-1252 are told apart. A row with a null character in it is refused.',
    query: z.strictObject({ onDuplicate: z.enum(['skip', 'update']).default('skip') }),
    bodyType: 'text/csv',
    success: [202],
    output: importJob,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  getImport: endpoint({
    operationId: 'getImport',
    call: 'imports.get',
    method: 'GET',
    path: '/v2/imports/:id',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get an import',
    success: [200],
    output: importJob,
    errors: ['NOT_FOUND'],
  }),
  getImportErrors: endpoint({
    operationId: 'getImportErrors',
    exports: true,
    call: 'imports.errors',
    method: 'GET',
    path: '/v2/imports/:id/errors',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get the refused rows of an import',
    description:
      'The rows as they came, as CSV, with their number and the reason in front. A cell that a spreadsheet would run as a formula (`=1+1`, `+1`, `-1`, `@x`) has an apostrophe before it; an import takes the apostrophe and the two columns away again, so that the file can be mended and uploaded as it is.',
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/csv',
    examples: { output: 'row,reason,email,first name\n2,invalid_email,not an address,Ada\n' },
    errors: ['NOT_FOUND'],
  }),
}
