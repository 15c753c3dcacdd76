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
        'The field that is changed: of the campaign (`settings.dailyLimit`, `schedule.windows`, `sendingAccountIds`), or of a ' +
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
      until: timestamp.nullable().meta({ description: 'When the first of them is let go; null: not by itself.' }),
      detail: z.string().meta({ description: 'With the numbers of one of them.' }),
    }),
  ),
  bottleneck: blockedReason.nullable().meta({
    description: 'The gate that the best of the levers widens; null where no change brings the end nearer.',
  }),
  finishesOn: calendarDate.nullable().meta({ description: 'As things are.' }),
  levers: z.array(lever).max(leversMax).meta({ description: 'Each by itself, the best first.' }),
  partial: z.boolean().meta({
    description: 'Not every lead was looked at, or not every change was tried: there are too many of them.',
  }),
})
export type Diagnosis = z.infer<typeof diagnosis>

const daysMax = 90
export const accountForecast = namedObject('AccountForecast', {
  timezone: z.string().meta({ description: "The account's, in which days are counted." }),
  days: z.array(
    namedObject('AccountForecastDay', {
      date: calendarDate,
      bySender: z.array(
        namedObject('SenderForecastDay', {
          sendingAccountId: z.string(),
          count: z.number().int(),
          capacity: z.number().int().meta({ description: 'Its limit of that day, ramp-up included.' }),
        }),
      ),
      byCampaign: z.array(namedObject('CampaignForecastDay', { campaignId: z.string(), count: z.number().int() })),
    }),
  ),
  partial: z.boolean().meta({ description: 'Not every campaign or lead was looked at: there are too many of them.' }),
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
    summary: 'Tell what holds a campaign back',
    description:
      'What its leads wait for now, and what would bring the end nearer: the forecast run again with one thing changed, a ' +
      'sending account more, a limit a fifth higher, windows two hours longer. Nothing is changed.',
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
      'What every active and scheduled campaign sends, per day, by sending account and by campaign, beside what each sending ' +
      'account could send.',
    query: z.strictObject({ days: countUpTo(daysMax).default(30) }),
    success: [200],
    output: accountForecast,
  }),
}
