import { z } from 'zod'
import { calendarDate, namedObject, timestamp, timezone } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { counterNames, groupDimensions, stepTypes } from '../vocabularies.ts'
import { dateOrTime, groupedAnalyticsQuery } from './grouped-query.ts'
import { taskCounts } from './task-counts.ts'

const count = z.number().int()
const rate = z.number()

export { counterNames }

const rates = namedObject('Rates', {
  open: rate,
  click: rate,
  reply: rate,
  bounce: rate,
  unsubscribe: rate,
  positiveReply: rate,
})

const counters = {
  leads: count,
  contacted: count,
  sent: count,
  delivered: count,
  opened: count,
  uniqueOpened: count,
  machineOpened: count,
  clicked: count,
  uniqueClicked: count,
  machineClicked: count,
  replied: count,
  uniqueReplied: count,
  autoReplied: count,
  bounced: count,
  verifiedBounced: count,
  unsubscribed: count,
  interested: count,
  meetingsBooked: count,
  handedOver: count,
  failed: count,
  uncertain: count,
  returned: count,
}

/** `notSent` counts leads without a message by the reason: a blocked reason, or the status that ended them. */
const measures = { ...counters, notSent: z.record(z.string(), count), rates }
export const stats = namedObject('Stats', measures)
export type Stats = z.infer<typeof stats>

export const aiCost = z
  .strictObject({ generations: count, credits: count, promptTokens: count, completionTokens: count })
  .meta({
    id: 'AiCost',
    description: 'The AI generations of the campaign and their cost, as sums of `GET /v2/ai/generations`.',
  })
export type AiCost = z.infer<typeof aiCost>
export const campaignStats = stats.extend({ ai: aiCost }).meta({ id: 'CampaignStats' })

/** 95 % Wilson interval of the reply rate; null before anything was delivered. */
const replyInterval = z.strictObject({ low: rate, high: rate }).nullable()

export const analytics = namedObject('Analytics', {
  campaignId: z.string(),
  from: timestamp,
  to: timestamp,
  interval: z.enum(['day', 'week', 'month']),
  timezone: z.string(),
  series: z.array(
    namedObject('AnalyticsPeriod', { date: calendarDate, startAt: timestamp, endAt: timestamp, ...measures }),
  ),
  steps: z.array(
    namedObject('StepAnalytics', {
      stepId: z.string(),
      position: z.number().int().nullable(),
      type: z.enum(stepTypes).nullable().meta({ description: 'Null if the step was removed.' }),
      reached: count.meta({
        description: 'Leads that passed the step or wait for it now, independent of the range.',
      }),
      waiting: count.meta({ description: 'Leads that wait for the step now. The range changes nothing.' }),
      tasks: taskCounts.nullable().meta({
        description: 'The tasks of the step in the range. Null for a step without tasks.',
      }),
      ...measures,
    }),
  ),
  /** The paths of each branch: the leads that took it, and their results from then on. */
  paths: z.array(
    namedObject('PathAnalytics', {
      stepId: z.string(),
      branchId: z.string().nullable().meta({ description: 'Null if no branch matched.' }),
      label: z.string().nullable().meta({ description: 'Null if no branch matched or the branch was removed.' }),
      ...measures,
    }),
  ),
  variants: z.array(
    namedObject('VariantAnalytics', {
      stepId: z.string(),
      variantId: z.string(),
      label: z.string().nullable(),
      replyInterval,
      nextShare: rate.nullable().meta({
        description:
          "The share of the step's next leads that gets this variant, by weight or, with `auto`, by replies. Null for a " +
          'removed variant.',
      }),
      ...measures,
    }),
  ),
  senders: z.array(
    namedObject('SendingAccountAnalytics', { sendingAccountId: z.string(), email: z.string().nullable(), ...measures }),
  ),
  /** One per step with several variants: only the conclusion that the numbers support. */
  comparisons: z.array(
    namedObject('VariantComparison', {
      stepId: z.string(),
      verdict: z.enum(['not_enough_data', 'no_clear_difference', 'winner']),
      winnerVariantId: z.string().nullable(),
      detail: z.string(),
    }),
  ),
})
export type Analytics = z.infer<typeof analytics>

export const groupsMax = 1_000

export const groupedAnalytics = namedObject('GroupedAnalytics', {
  groupBy: z.array(z.enum(groupDimensions)),
  timezone: z.string(),
  from: timestamp.nullable(),
  to: timestamp.nullable(),
  groups: z
    .array(
      namedObject('AnalyticsGroup', {
        key: z.array(z.string().nullable()).meta({
          description:
            'One per dimension: `2026-03-29` (of a week its Monday, of a month its first), `mon`, `09`, or an id; null where an ' +
            'event has none.',
        }),
        replyInterval,
        ...measures,
      }),
    )
    .max(groupsMax),
  /** The totals of all groups that were left out. */
  other: stats,
  totals: stats,
})
export type GroupedAnalytics = z.infer<typeof groupedAnalytics>

/** The largest number of campaigns in `returned` and in `missingValues` of a summary. */
export const returnedCampaignsMax = 20

export const summary = namedObject('Summary', {
  campaigns: z.strictObject({ total: count, byStatus: z.record(z.string(), count) }),
  leads: z.strictObject({ total: count, byStatus: z.record(z.string(), count) }),
  today: z.strictObject({ sent: count, capacity: count }),
  totals: stats,
  credits: z.strictObject({ balance: z.number() }),
  /** Campaigns with leads that wait for a decision about a returned message, those with the most leads first. */
  returned: z.array(namedObject('ReturnedCampaign', { campaignId: z.string(), name: z.string(), leads: count })),
  /** Campaigns with leads that get no message because a variable has no value, those with the most leads first. */
  missingValues: z.array(
    namedObject('CampaignMissingValues', { campaignId: z.string(), name: z.string(), leads: count }),
  ),
})
export type Summary = z.infer<typeof summary>

export const metricDefinition = namedObject('MetricDefinition', {
  name: z.string(),
  kind: z.enum(['count', 'rate']),
  definition: z.string(),
  numerator: z.string(),
  denominator: z.string().nullable(),
  excludes: z.array(z.string()),
})
export type MetricDefinition = z.infer<typeof metricDefinition>

export const analyticsEndpoints = {
  getCampaignStats: endpoint({
    operationId: 'getCampaignStats',
    call: 'campaigns.stats',
    method: 'GET',
    path: '/v2/campaigns/:id/stats',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get campaign stats',
    description: 'Counts from the launch until now. `GET /v2/analytics/definitions` explains each name.',
    success: [200],
    output: campaignStats,
    errors: ['NOT_FOUND'],
  }),
  getCampaignAnalytics: endpoint({
    operationId: 'getCampaignAnalytics',
    call: 'campaigns.analytics',
    method: 'GET',
    path: '/v2/campaigns/:id/analytics',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get campaign analytics',
    description:
      'The counts of stats over time, by step, variant and sender. `from` and `to` are dates in the zone (`to` ' +
      'included) or times (`to` excluded). The default range is from the launch until now. Weeks begin on Monday. ' +
      '`paths` counts, per branch, the leads that took it in the range and what they did after that. The counts of a ' +
      "step add up to all its decisions. A variant's `nextShare` is its share of the next leads.",
    query: z.strictObject({
      from: dateOrTime.optional(),
      to: dateOrTime.optional(),
      interval: z.enum(['day', 'week', 'month']).default('day'),
      timezone: timezone.optional(),
    }),
    success: [200],
    output: analytics,
    errors: ['NOT_FOUND'],
  }),
  getGroupedAnalytics: endpoint({
    operationId: 'getGroupedAnalytics',
    call: 'analytics.grouped',
    method: 'GET',
    path: '/v2/analytics',
    environment: 'both',
    scope: 'read',
    tag: 'Analytics',
    summary: 'Get grouped analytics',
    description:
      'The counts of stats by one or two dimensions, each at the time of its event in the zone. Groups and `other` add ' +
      `up to \`totals\`. The ${groupsMax} groups with the most messages are listed, the rest is in \`other\`. Every hour ` +
      'and weekday is listed. Other dimensions list only values with counts. `from` and `to` are dates in the zone ' +
      '(`to` included) or times on a quarter of an hour (`to` excluded). The default range is all time. `notSent` is ' +
      'empty, because it describes the present state of leads.',
    query: groupedAnalyticsQuery,
    success: [200],
    output: groupedAnalytics,
    errors: ['NOT_FOUND'],
  }),
  getAccountSummary: endpoint({
    operationId: 'getAccountSummary',
    call: 'account.summary',
    method: 'GET',
    path: '/v2/campaigns/summary',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get account summary',
    description:
      "Campaigns and leads by status, messages sent today and today's capacity, the counts of all campaigns together, " +
      `and credits. \`returned\` lists at most ${returnedCampaignsMax} campaigns whose leads wait for a decision about a ` +
      'returned message. `missingValues` lists at most as many campaigns with leads that a variable without a value holds.',
    success: [200],
    output: summary,
  }),
  listMetricDefinitions: endpoint({
    operationId: 'listMetricDefinitions',
    call: 'analytics.definitions',
    method: 'GET',
    path: '/v2/analytics/definitions',
    environment: 'both',
    scope: 'read',
    tag: 'Analytics',
    summary: 'List metric definitions',
    description:
      'Explains what each number counts and what it excludes, and for a rate which number is divided by which.',
    success: [200],
    output: namedObject('MetricDefinitionList', { results: z.array(metricDefinition) }),
  }),
}
