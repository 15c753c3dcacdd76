import { z } from 'zod'
import { calendarDate, id, timestampInput, timezone } from '../common.ts'
import { groupDimensions } from '../vocabularies.ts'

export type GroupDimension = (typeof groupDimensions)[number]
const groupedByMax = 2

const isGroupDimension = (name: string): name is GroupDimension => groupDimensions.some((known) => known === name)
const groupBy = z
  .string()
  .regex(
    new RegExp(`^(?:${groupDimensions.join('|')})(?:,(?:${groupDimensions.join('|')}))?$`),
    `One or two of: ${groupDimensions.join(', ')}.`,
  )
  .transform((text) => text.split(',').filter(isGroupDimension))
  .refine((names) => new Set(names).size === names.length, `${groupedByMax} different ones.`)

/** A date means the whole day in the zone. */
export const dateOrTime = z.union([calendarDate, timestampInput])

/** The question of grouped analytics. A scheduled report asks the same one again and again. */
export const groupedAnalyticsQuery = z.strictObject({
  groupBy,
  from: dateOrTime.optional(),
  to: dateOrTime.optional(),
  timezone: timezone.optional(),
  campaignId: id.optional(),
  sendingAccountId: id.optional(),
  tagId: id.optional().meta({ description: 'Counts only campaigns and sending accounts with this tag.' }),
})
export type GroupedAnalyticsQuery = z.output<typeof groupedAnalyticsQuery>
