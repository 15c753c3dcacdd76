import { z } from 'zod'
import { bulkIds, domainName, namedObject, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { tagFilter } from '../tags/tags.ts'
import { leadVerificationFilter } from '../verification/verification-settings.ts'
import { blockedReason, interest, leadStatus } from './leads.ts'

export const leadsAtOnceMax = 1_000

const filter = namedObject('LeadFilter', {
  status: leadStatus.optional(),
  interest: interest.optional(),
  blockedReason: blockedReason.optional(),
  verification: leadVerificationFilter.optional(),
  email: z.string().max(320).optional(),
  q: z.string().max(200).optional(),
  ...tagFilter,
})

export const bulkLeadsInput = z
  .strictObject({
    ids: bulkIds(leadsAtOnceMax).optional(),
    /** The filter of the list of leads; `{}` selects all leads. */
    filter: filter.optional(),
    status: z.enum(['paused', 'active', 'stopped']).optional(),
    resumeAt: timestampInput.optional().meta({
      description:
        'With `status: paused`: when the leads that this call pauses are resumed automatically. Leads that are ' +
        'already paused do not change.',
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
    message: 'Only a paused lead can have resumeAt. Send status paused, too.',
    path: ['resumeAt'],
  })
  .meta({ id: 'BulkLeadsInput' })
export type BulkLeadsInput = z.output<typeof bulkLeadsInput>

export const companyLeadsInput = z
  .strictObject({
    domain: domainName.meta({
      description:
        'The company: the leads with this `companyDomain`, or with an address of this domain if they have none.',
    }),
    status: z.enum(['paused', 'active']),
    resumeAt: timestampInput.optional().meta({
      description: 'With `status: paused`: when the leads that this call pauses are resumed automatically.',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Counts without a change.' }),
  })
  .refine((body) => body.resumeAt === undefined || body.status === 'paused', {
    message: 'Only a paused lead can have resumeAt. Send status paused, too.',
    path: ['resumeAt'],
  })
  .meta({ id: 'CompanyLeadsInput' })
export type CompanyLeadsInput = z.output<typeof companyLeadsInput>

export const bulkLeadsOutput = namedObject('BulkLeadsResult', {
  matched: z.number().int().meta({ description: 'Leads that match the ids or the filter.' }),
  changed: z.number().int(),
  skipped: z.record(z.string(), z.number().int()).meta({
    description:
      'The number of unchanged leads per reason: `not_found`, `unchanged`, or the status that does not allow the change.',
  }),
  more: z.boolean().meta({ description: 'More leads match the filter. Send the same request again.' }),
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
      'Changes each lead as `PUT` of one lead does. A lead whose status does not allow the change is skipped and ' +
      'counted. At most 1,000 leads are changed per call.',
    body: bulkLeadsInput,
    itemsField: 'ids',
    success: [200],
    output: bulkLeadsOutput,
    errors: ['NOT_FOUND'],
    examples: {
      body: { filter: { interest: 'not_interested' }, status: 'stopped' },
      output: { matched: 14, changed: 12, skipped: { replied: 2 }, more: false },
    },
  }),
  updateCompanyLeads: endpoint({
    operationId: 'updateCompanyLeads',
    call: 'leads.updateCompany',
    method: 'POST',
    path: '/v2/leads/company',
    environment: 'both',
    scope: 'write',
    tag: 'Leads',
    summary: 'Pause or resume the leads of a company',
    description:
      'In all campaigns. Each lead changes as by `PUT` of one lead. A lead whose status does not allow the change is ' +
      'skipped and counted. Leads that are added later are not paused. At most 1,000 leads are changed per call.',
    body: companyLeadsInput,
    success: [200],
    output: bulkLeadsOutput,
    examples: {
      body: { domain: 'acme.example.com', status: 'paused' },
      output: { matched: 4, changed: 3, skipped: { replied: 1 }, more: false },
    },
  }),
}
