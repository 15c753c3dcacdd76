import { z } from 'zod'
import { bulkIds, namedObject, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { blockedReason, interest, leadStatus } from './leads.ts'

export const leadsAtOnceMax = 1_000

const filter = namedObject('LeadFilter', {
  status: leadStatus.optional(),
  interest: interest.optional(),
  blockedReason: blockedReason.optional(),
  email: z.string().max(320).optional(),
  q: z.string().max(200).optional(),
})

export const bulkLeadsInput = z
  .strictObject({
    ids: bulkIds(leadsAtOnceMax).optional(),
    /** The filter of the list of leads; `{}` selects all leads. */
    filter: filter.optional(),
    status: z.enum(['paused', 'active', 'stopped']).optional(),
    resumeAt: timestampInput.optional().meta({
      description:
        'With `status: paused`: when those that it pauses go on by themselves. Who is paused already stays so.',
    }),
    interest: interest.nullable().optional(),
  })
  .refine(({ ids, filter: which }) => (ids === undefined) !== (which === undefined), {
    message: 'Send either ids or filter.',
    path: ['ids'],
  })
  .refine((body) => body.status !== undefined || body.interest !== undefined, {
    message: 'Send status or interest.',
    path: ['status'],
  })
  .refine((body) => body.resumeAt === undefined || body.status === 'paused', {
    message: 'Only a lead that is paused goes on by itself: send status paused.',
    path: ['resumeAt'],
  })
  .meta({ id: 'BulkLeadsInput' })
export type BulkLeadsInput = z.output<typeof bulkLeadsInput>

export const bulkLeadsOutput = namedObject('BulkLeadsResult', {
  matched: z.number().int().meta({ description: 'Leads that the ids or the filter name.' }),
  changed: z.number().int(),
  skipped: z.record(z.string(), z.number().int()).meta({
    description:
      'Why the others stay as they are, with their number: `not_found`, `unchanged`, or the status that allows no such move.',
  }),
  more: z.boolean().meta({ description: 'The filter names more that can be changed: send the same again.' }),
})
export type BulkLeadsOutput = z.infer<typeof bulkLeadsOutput>

export const leadsBulkEndpoints = {
  bulkUpdateCampaignLeads: endpoint({
    operationId: 'bulkUpdateCampaignLeads',
    call: 'campaigns.leads.bulkUpdate',
    method: 'POST',
    path: '/v2/campaigns/:id/leads/bulk',
    environment: 'both',
    scope: 'write',
    tag: 'Campaign leads',
    summary: 'Pause, resume, stop or label many leads',
    description:
      'Each lead as `PUT` of one lead would change it; one whose status does not allow the move is skipped and counted. At most ' +
      '1,000 leads are changed by a call.',
    body: bulkLeadsInput,
    itemsOf: 'ids',
    success: [200],
    output: bulkLeadsOutput,
    errors: ['NOT_FOUND'],
    examples: {
      body: { filter: { interest: 'not_interested' }, status: 'stopped' },
      output: { matched: 14, changed: 12, skipped: { replied: 2 }, more: false },
    },
  }),
}
