import { z } from 'zod'
import { groupedAnalyticsQuery } from '../analytics/grouped-query.ts'
import { clockTime, id, isOneLine, namedObject, timestamp, timezone } from '../common.ts'

export const reportsMax = 50
export const reportRecipientsMax = 20
/** The longest range of a report with its own dates. */
const rangeDaysMax = 366
const dayMs = 86_400_000
const quarterMs = 900_000

export const reportIntervals = ['day', 'week', 'month'] as const
const every = z.enum(reportIntervals)
export type ReportInterval = z.infer<typeof every>

export const reportRunStatuses = ['running', 'sent', 'announced', 'failed'] as const
export const reportSkipReasons = ['disabled', 'removed', 'role', 'mail_failed', 'mail_uncertain'] as const
export type ReportSkipReason = (typeof reportSkipReasons)[number]

const isDate = (text: string): boolean => text.length === 10
const startMs = (from: string): number => Date.parse(from)
const endMs = (to: string): number => Date.parse(to) + (isDate(to) ? dayMs : 0)
const isWhole = (bound: string | undefined): boolean =>
  bound === undefined || isDate(bound) || Date.parse(bound) % quarterMs === 0

const queryInput = groupedAnalyticsQuery
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    message: 'Send both from and to, or neither for the days since the last report.',
    path: ['to'],
  })
  .refine(({ from }) => isWhole(from), {
    message: 'Use a time on a quarter of an hour, such as 10:15.',
    path: ['from'],
  })
  .refine(({ to }) => isWhole(to), { message: 'Use a time on a quarter of an hour, such as 10:15.', path: ['to'] })
  .refine(({ from, to }) => from === undefined || to === undefined || startMs(from) < endMs(to), {
    message: 'Must be later than from.',
    path: ['to'],
  })
  .refine(
    ({ from, to }) => from === undefined || to === undefined || endMs(to) - startMs(from) <= rangeDaysMax * dayMs,
    {
      message: 'The range is longer than a year.',
      path: ['to'],
    },
  )
  .meta({ id: 'ReportQueryInput' })

/** The query as it was sent. Fields that were not sent are missing. */
const query = namedObject('ReportQuery', {
  groupBy: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  timezone: z.string().optional(),
  campaignId: z.string().optional(),
  sendingAccountId: z.string().optional(),
  tagId: z.string().optional(),
})
export type ReportQuery = z.infer<typeof query>

const lastRun = namedObject('ReportRun', {
  at: timestamp,
  status: z.enum(reportRunStatuses).meta({
    description:
      '`sent`: by mail to `deliveredTo`. `announced`: by the event `report.ready`. `failed`: no recipient got it; see `error`.',
  }),
  from: z.string().meta({ description: 'The first day of the numbers, or their first moment.' }),
  to: z.string().meta({ description: 'The last day of the numbers, or the moment at which they end.' }),
  deliveredTo: z.array(z.string()).meta({ description: 'The users whose mail was accepted by the mail server.' }),
  skipped: z
    .array(namedObject('SkippedReportRecipient', { userId: z.string(), reason: z.enum(reportSkipReasons) }))
    .meta({
      description: '`mail_uncertain`: the mail may have been sent, so it is not sent again.',
    }),
  error: z.string().nullable(),
})

export const report = namedObject('Report', {
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  query,
  every,
  on: z.number().int().nullable(),
  at: z.string(),
  timezone: z.string(),
  recipients: z.array(z.string()),
  nextRunAt: timestamp.nullable().meta({ description: 'Null for a paused report.' }),
  lastRun: lastRun.nullable(),
  createdAt: timestamp,
})
export type Report = z.infer<typeof report>

const name = z.string().trim().min(1).max(100).refine(isOneLine, 'A name has one line.')
const fields = {
  name,
  active: z.boolean().optional().meta({ description: 'False pauses the report. The default is true.' }),
  query: queryInput,
  every,
  on: z
    .number()
    .int()
    .min(1)
    .max(31)
    .nullable()
    .optional()
    .meta({
      description:
        'For `week` the day from 1 (Monday) to 7. For `month` the day from 1 to 31; a shorter month has its last day. The default ' +
        'is 1. Null for `day`.',
    }),
  at: clockTime.optional().meta({ description: 'The time of day in the zone. The default is 08:00.' }),
  timezone: timezone.optional().meta({ description: 'The default is the time zone of the account.' }),
  recipients: z.array(id).max(reportRecipientsMax).optional().meta({
    description: 'Ids of active users of the account. Without recipients, only the event `report.ready` is written.',
  }),
}

/** The days that `on` can name, by interval. */
export const lastOn: Readonly<Record<ReportInterval, number>> = { day: 0, week: 7, month: 31 }

export const createReportInput = namedObject('CreateReportInput', fields)
export type CreateReportInput = z.output<typeof createReportInput>

/** Read-only fields may be sent back unchanged. A changed one is refused with 400. */
export const updateReportInput = namedObject('UpdateReportInput', {
  ...fields,
  name: name.optional(),
  query: queryInput.optional(),
  every: every.optional(),
  id: z.string().optional(),
  nextRunAt: z.string().nullable().optional(),
  lastRun: z.unknown().optional(),
  createdAt: z.string().optional(),
})
export type UpdateReportInput = z.output<typeof updateReportInput>
