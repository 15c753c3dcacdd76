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
  nextStepId: z.string().nullable().meta({ description: 'The next step. Null if there is none.' }),
  dueAt: timestamp.nullable().meta({ description: 'When its wait is over. Null if there is no wait.' }),
})
export type LeadPlace = z.infer<typeof leadPlace>

const effects = namedObject('ChangeEffects', {
  moved: z
    .array(
      namedObject('MovedLeads', {
        fromStepId: z.string().nullable().meta({ description: 'The step that came next; null: nothing did.' }),
        toStepId: z.string().nullable().meta({ description: 'The next step. Null if there is none.' }),
        count: z.number().int(),
      }),
    )
    .meta({ description: 'Leads whose next step changes, the largest group first.' }),
  reopened: z.number().int().meta({ description: 'Of these: completed leads that continue.' }),
  completed: z.number().int().meta({ description: 'Of these: leads that have no next step anymore.' }),
  rescheduled: z.number().int().meta({ description: 'Leads that get the same step at another time.' }),
  decisionsVoided: z
    .number()
    .int()
    .meta({ description: 'Branch decisions that are discarded because their target was removed.' }),
  tasksCanceled: z.number().int().meta({ description: 'Open tasks of removed steps.' }),
  sample: z
    .array(namedObject('MovedLead', { leadId: z.string(), before: leadPlace, after: leadPlace }))
    .max(dryRunSampleMax)
    .meta({ description: 'Examples of affected leads.' }),
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
  summary: 'Dry-run an update of a campaign',
  description:
    'Returns the errors that the update would return. Changes that need a paused campaign are accepted in every status. ' +
    'Nothing is stored or sent.',
  query: dryRunQuery,
  always: { dryRun: true },
  body: updateCampaignInput,
  bodyBytesMax: campaignBytesMax,
  success: [200],
  output: campaignDryRun,
  errors: ['NOT_FOUND', 'CONFLICT'],
})
