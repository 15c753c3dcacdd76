import { z } from 'zod'
import { listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** `requested` is being written, `waiting` waits for a person, `approved` will be sent, `rejected` and `failed` will not be sent. */
export const draftStatus = z
  .enum(['requested', 'waiting', 'approved', 'rejected', 'failed'])
  .meta({ id: 'ApprovalStatus' })
export type DraftStatus = z.infer<typeof draftStatus>

export const approval = namedObject('Approval', {
  id: z.string(),
  campaignId: z.string(),
  leadId: z.string(),
  stepId: z.string(),
  variantId: z.string(),
  modelId: z.string().nullable().meta({ description: 'Null for a step by hand, whose text no model writes.' }),
  status: draftStatus,
  subject: z.string().nullable(),
  body: z.string().nullable(),
  error: z.string().nullable(),
  edited: z.boolean(),
  textDigest: z.string().nullable().meta({
    description:
      'SHA-256 of subject and body, in hexadecimal. Send it with an approval to approve exactly this text. Null if there is no text yet.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Approval = z.infer<typeof approval>

export const approveTextInput = namedObject('ApproveTextInput', {
  textDigest: z
    .string()
    .regex(/^[\da-f]{64}$/, 'A digest has 64 hexadecimal digits.')
    .optional()
    .meta({
      description: '`textDigest` of the text that was read. If the text has changed, the response is 409.',
    }),
})
export type ApproveTextInput = z.infer<typeof approveTextInput>

export const editApprovalInput = namedObject('EditApprovalInput', {
  subject: z
    .string()
    .trim()
    .max(150)
    .regex(/^[^\r\n\u2028\u2029]*$/, "A subject can't contain a line break.")
    .optional(),
  body: z.string().trim().min(1).max(20_000).optional(),
})
export type EditApprovalInput = z.infer<typeof editApprovalInput>

/** How many texts of a campaign a person must approve with `aiApproval: first_n`. */
export const firstApprovals = 10

export const approvalEndpoints = {
  listApprovals: endpoint({
    operationId: 'listApprovals',
    call: 'campaigns.approvals.list',
    method: 'GET',
    path: '/v2/campaigns/:id/approvals',
    environment: 'both',
    scope: 'read',
    tag: 'AI',
    summary: 'List texts of AI steps',
    description: 'Lists waiting texts, unless `status` selects others.',
    query: z.strictObject({ ...pageQuery, status: draftStatus.default('waiting') }),
    success: [200],
    output: listOf(approval),
    errors: ['NOT_FOUND'],
  }),
  getApproval: endpoint({
    operationId: 'getApproval',
    call: 'campaigns.approvals.get',
    method: 'GET',
    path: '/v2/campaigns/:id/approvals/:approvalId',
    environment: 'both',
    scope: 'read',
    tag: 'AI',
    summary: 'Get a text of an AI step',
    description: 'Returns a text in any status, also that of a step by hand.',
    success: [200],
    output: approval,
    errors: ['NOT_FOUND'],
  }),
  approveText: endpoint({
    operationId: 'approveText',
    call: 'campaigns.approvals.approve',
    method: 'POST',
    path: '/v2/campaigns/:id/approvals/:approvalId/approve',
    environment: 'both',
    scope: 'write',
    tag: 'AI',
    summary: 'Approve a text',
    description:
      'The text is sent unchanged when it is due. With `textDigest` the approval is for exactly the text that was ' +
      'read. If the text has changed, nothing is approved (409).',
    body: approveTextInput,
    success: [200],
    output: approval,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: {} },
  }),
  rejectText: endpoint({
    operationId: 'rejectText',
    call: 'campaigns.approvals.reject',
    method: 'POST',
    path: '/v2/campaigns/:id/approvals/:approvalId/reject',
    environment: 'both',
    scope: 'write',
    tag: 'AI',
    summary: 'Reject a text',
    description:
      'The text is not sent, and its lead gets no more messages of the campaign. In a step by hand the lead continues with the next step.',
    success: [200],
    output: approval,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  editText: endpoint({
    operationId: 'editText',
    call: 'campaigns.approvals.edit',
    method: 'PUT',
    path: '/v2/campaigns/:id/approvals/:approvalId',
    environment: 'both',
    scope: 'write',
    tag: 'AI',
    summary: 'Edit a text before it is sent',
    description: 'An edited text is kept even if the lead or the preset changes. A placeholder or markup in it is 400.',
    body: editApprovalInput,
    success: [200],
    output: approval,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { subject: 'A question about Example Ltd', body: 'Hello Ada, may I ask you something?' } },
  }),
}
