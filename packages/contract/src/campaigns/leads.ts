import { z } from 'zod'
import { listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { tagFilter } from '../tags/tags.ts'
import { recipientProvider } from '../deliverability/recipient-provider.ts'
import { leadVerification, leadVerificationFilter } from '../verification/verification-settings.ts'
import { interests, leadStatuses, stepTypes } from '../vocabularies.ts'
import { addLeadsInput, addLeadsOutput, leadFields, leadProfile } from './lead-fields.ts'

export const leadStatus = z.enum(leadStatuses).meta({ id: 'LeadStatus' })
export type LeadStatus = z.infer<typeof leadStatus>

/** In order of priority: the first reason that applies is reported. Source: docs/contract.md, "Leads". */
export const blockedReasons = [
  'suppressed',
  'delivery_uncertain',
  'returned',
  'in_conversation',
  'missing_variable',
  'address_check',
  'awaiting_approval',
  'waiting_for_task',
  'campaign_not_active',
  'sender_unavailable',
  'inbox_not_read',
  'provider_mismatch',
  'wait_not_over',
  'outside_window',
  'other_campaign',
  'person_limit',
  'company_limit',
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

/** A step that a lead has passed. */
const pathStep = namedObject('PathStep', {
  stepId: z.string(),
  type: z.enum(stepTypes),
  /** The result of an email. For a branch the step or campaign to which it led, or `end`. For a task its outcome or status. */
  outcome: z.string(),
  branchId: nullableText,
  at: timestamp,
})
export type PathStep = z.infer<typeof pathStep>

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
  resumeAt: timestamp.nullable().meta({
    description: 'When a paused lead is resumed automatically. Null if it stays paused until someone resumes it.',
  }),
  lastContactedAt: timestamp.nullable(),
  sendingAccountId: nullableText,
  openCount: z.number().int(),
  clickCount: z.number().int(),
  replyCount: z.number().int(),
  stoppedBy,
  verification: leadVerification.nullable().meta({
    description: 'The last result of the address. Null if it was not verified in the last 90 days.',
  }),
  recipientProvider: recipientProvider.nullable().meta({
    description:
      'The provider that accepts the mail of the address. Null if it was not looked up in the last 30 days: only campaigns with ' +
      '`providerMatching` look it up.',
  }),
  originLeadId: nullableText.meta({ description: 'The lead of another campaign from which this one was taken over.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Lead = z.infer<typeof lead>

export const leadOnPath = lead
  .extend({
    path: z.array(pathStep).meta({
      description:
        'The past of the lead in order: messages with `sent`, `bounced` or `uncertain`, and decisions with the step they ' +
        'led to, `end`, or the campaign that took over the person.',
    }),
  })
  .meta({ id: 'LeadOnPath' })
export type LeadOnPath = z.infer<typeof leadOnPath>

/** Read-only fields may be sent back unchanged. A changed one is refused with 400. */
export const updateLeadInput = namedObject('UpdateLeadInput', {
  ...leadFields,
  interest: interest.nullable().optional(),
  status: leadStatus.optional(),
  resumeAt: timestampInput
    .nullable()
    .optional()
    .meta({ description: 'Only with `status: paused` or for a paused lead.' }),
  id: z.string().optional(),
  campaignId: z.string().optional(),
  email: z.string().optional(),
  blockedReason: nullableText.optional(),
  currentStep: z.number().optional(),
  path: z.unknown().optional(),
  nextSendAt: nullableText.optional(),
  lastContactedAt: nullableText.optional(),
  sendingAccountId: nullableText.optional(),
  openCount: z.number().optional(),
  clickCount: z.number().optional(),
  replyCount: z.number().optional(),
  stoppedBy: z.unknown().optional(),
  verification: z.unknown().optional(),
  recipientProvider: z.unknown().optional(),
  originLeadId: nullableText.optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateLeadInput = z.infer<typeof updateLeadInput>

/** Enough for a thousand leads. */
const leadsBytesMax = 10 * 1024 * 1024

export const leadEndpoints = {
  listCampaignLeads: endpoint({
    operationId: 'listCampaignLeads',
    call: 'campaigns.leads.list',
    method: 'GET',
    path: '/v2/campaigns/:id/leads',
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'List campaign leads',
    description: 'Oldest first. `blockedReason` is the first gate that blocks a lead now.',
    query: z.strictObject({
      ...pageQuery,
      status: leadStatus.optional(),
      interest: interest.optional(),
      blockedReason: blockedReason.optional(),
      verification: leadVerificationFilter.optional(),
      email: z.string().max(320).optional(),
      q: z.string().max(200).optional(),
      ...tagFilter,
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
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Add campaign leads',
    description: 'Returns a result per item. One bad item never fails the call.',
    body: addLeadsInput,
    bodyBytesMax: leadsBytesMax,
    itemsField: 'leads',
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
    environment: 'both',
    scope: 'read',
    tag: 'Campaign leads',
    summary: 'Get campaign lead',
    description: 'With where it stands, the path that it came, what comes next, and what holds it.',
    success: [200],
    output: leadOnPath,
    errors: ['NOT_FOUND'],
  }),
  updateCampaignLead: endpoint({
    operationId: 'updateCampaignLead',
    call: 'campaigns.leads.update',
    method: 'PUT',
    path: '/v2/campaigns/:id/leads/:leadId',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Update campaign lead',
    description:
      'Changes the fields that are sent. `status` pauses, resumes or stops the lead. A change that the present status ' +
      'does not allow is 409. With `status: paused` and `resumeAt` the lead is resumed automatically at that time.',
    body: updateLeadInput,
    success: [200],
    output: lead,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
}
