import { z } from 'zod'
import { campaign, campaignBytesMax, updateCampaignInput } from '../campaigns/campaigns.ts'
import { leadStatus } from '../campaigns/leads.ts'
import { flag, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { forecast } from './delivery.ts'

export const dryRunSampleMax = 20

export const dryRunQuery = z.strictObject({
  dryRun: flag.optional().meta({
    description:
      'With `true` nothing is changed: the answer is what the call would do (`CampaignDryRun`), also where a campaign that runs ' +
      'would have to be paused for it first.',
  }),
})

const leadPlace = namedObject('LeadPlace', {
  status: leadStatus,
  nextStepId: z.string().nullable().meta({ description: 'The step that comes next; null: nothing more.' }),
  dueAt: timestamp.nullable().meta({ description: 'When its wait is over; null: it waits for nothing.' }),
})
export type LeadPlace = z.infer<typeof leadPlace>

const effects = namedObject('ChangeEffects', {
  moved: z
    .array(
      namedObject('MovedLeads', {
        fromStepId: z.string().nullable().meta({ description: 'The step that came next; null: nothing did.' }),
        toStepId: z.string().nullable().meta({ description: 'The step that comes next; null: nothing more.' }),
        count: z.number().int(),
      }),
    )
    .meta({ description: 'Leads for whom another step than before comes next, the most first.' }),
  reopened: z.number().int().meta({ description: 'Of these: those that had completed and go on.' }),
  completed: z.number().int().meta({ description: 'Of these: those for whom nothing is left.' }),
  rescheduled: z.number().int().meta({ description: 'Leads that wait for the same step, to another time.' }),
  decisionsVoided: z.number().int().meta({ description: 'Decisions of branches whose target is gone.' }),
  tasksCanceled: z.number().int().meta({ description: 'Open tasks of steps that are gone.' }),
  sample: z
    .array(namedObject('MovedLead', { leadId: z.string(), before: leadPlace, after: leadPlace }))
    .max(dryRunSampleMax)
    .meta({ description: 'Some of the leads that any of this happens to, one by one.' }),
})
export type ChangeEffects = z.infer<typeof effects>

export const campaignDryRun = namedObject('CampaignDryRun', {
  campaign: campaign.meta({
    description:
      'The campaign after the update. New steps, branches and variants have the ids that the update gives them, unless ' +
      'another change of the steps comes first.',
  }),
  effects,
  forecastBefore: forecast,
  forecastAfter: forecast,
})
export type CampaignDryRun = z.infer<typeof campaignDryRun>

export const dryRunCampaign = endpoint({
  operationId: 'dryRunCampaign',
  call: 'campaigns.dryRun',
  method: 'PUT',
  path: '/v2/campaigns/:id',
  environment: 'both',
  scope: 'write',
  tag: 'Campaigns',
  summary: 'Tell what an update of a campaign would do',
  description:
    'Refused as the update would be, but for what can only change while a campaign is paused: that is told for every status. ' +
    'Nothing is stored, nothing is sent.',
  query: dryRunQuery,
  always: { dryRun: true },
  body: updateCampaignInput,
  bodyBytesMax: campaignBytesMax,
  success: [200],
  output: campaignDryRun,
  errors: ['NOT_FOUND', 'CONFLICT'],
})
