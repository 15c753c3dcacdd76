import { z } from 'zod'
import { calendarDate, countUpTo, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { scheduleWindow } from '../campaigns/campaigns.ts'
import { blockedReason } from '../campaigns/leads.ts'

export const leversMax = 6

const levered = z.union([z.number(), z.string(), z.array(z.string()), z.array(scheduleWindow)]).nullable()
const lever = namedObject('Lever', {
  change: namedObject('LeverChange', {
    path: z.string().meta({
      description:
        'The changed field of the campaign (`settings.dailyLimit`, `schedule.windows`, `sendingAccountIds`) or of a ' +
        'sending account (`sendingAccounts.snd_1.dailyLimit`).',
    }),
    from: levered,
    to: levered,
  }),
  finishesOn: calendarDate,
  daysSooner: z.number().int().nullable().meta({ description: 'Null where the campaign would not finish without it.' }),
})

export const diagnosis = namedObject('Diagnosis', {
  held: z.array(
    namedObject('HeldLeads', {
      gate: blockedReason,
      count: z.number().int(),
      until: timestamp
        .nullable()
        .meta({ description: 'When the first of them can continue. Null if that does not happen automatically.' }),
      detail: z.string().meta({ description: 'Explains one of them with its numbers.' }),
    }),
  ),
  bottleneck: blockedReason.nullable().meta({
    description: 'The gate that the best of the levers widens; null where no change brings the end nearer.',
  }),
  finishesOn: calendarDate.nullable().meta({ description: 'The forecast without a change.' }),
  levers: z.array(lever).max(leversMax).meta({ description: 'Each change on its own, the best first.' }),
  partial: z.boolean().meta({
    description: 'There are too many leads or changes, so not all were checked.',
  }),
})
export type Diagnosis = z.infer<typeof diagnosis>

const daysMax = 90
export const accountForecast = namedObject('AccountForecast', {
  timezone: z.string().meta({ description: 'The time zone of the account, in which days are counted.' }),
  days: z.array(
    namedObject('AccountForecastDay', {
      date: calendarDate,
      bySender: z.array(
        namedObject('SenderForecastDay', {
          sendingAccountId: z.string(),
          count: z.number().int(),
          capacity: z.number().int().meta({ description: 'The limit of that day, ramp-up included.' }),
        }),
      ),
      byCampaign: z.array(namedObject('CampaignForecastDay', { campaignId: z.string(), count: z.number().int() })),
    }),
  ),
  partial: z.boolean().meta({ description: 'There are too many campaigns or leads, so not all were checked.' }),
})
export type AccountForecast = z.infer<typeof accountForecast>

export const diagnosisEndpoints = {
  diagnoseCampaign: endpoint({
    operationId: 'diagnoseCampaign',
    call: 'campaigns.diagnose',
    method: 'GET',
    path: '/v2/campaigns/:id/diagnose',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Diagnose a campaign',
    description:
      'What the leads wait for now, and which changes would finish the campaign sooner. The forecast runs again with ' +
      'one thing changed at a time: one more sending account, a limit raised by a fifth, or windows that are two hours ' +
      'longer. Nothing is changed.',
    success: [200],
    output: diagnosis,
    errors: ['NOT_FOUND'],
  }),
  getAccountForecast: endpoint({
    operationId: 'getAccountForecast',
    call: 'campaigns.forecastAll',
    method: 'GET',
    path: '/v2/forecast',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Forecast all campaigns',
    description:
      'What every active and scheduled campaign sends per day, by sending account and by campaign, with the capacity ' +
      'of each sending account.',
    query: z.strictObject({ days: countUpTo(daysMax).default(30) }),
    success: [200],
    output: accountForecast,
  }),
}
