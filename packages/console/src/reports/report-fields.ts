import type { CreateReportInput, Report, ReportQueryInput } from '@overture/sdk'
import { isDay } from './report-text.ts'

/** `kept`: moments that were set through the API, which the form has no fields for. */
export type DaysChoice = 'since' | 'fixed' | 'kept'

/** The fields of the form. An empty id means all of them. */
export interface ReportFields {
  name: string
  by: string
  then: string
  campaignId: string
  sendingAccountId: string
  tagId: string
  days: DaysChoice
  from: string
  to: string
  every: Report['every']
  on: number
  at: string
  timezone: string
  recipients: readonly string[]
}

/** The properties of a part of the form. `issue` is the error of a field that the API names in its refusal. */
export interface FieldsProps {
  fields: ReportFields
  put: (part: Partial<ReportFields>) => void
  issue: (path: string) => string | undefined
}

const defaultTime = '08:00'

/** The fields of a report, or those of a new one. */
export function toFields(report: Report | null, zone: string): ReportFields {
  const { query = { groupBy: 'campaign' }, every = 'week', on = 1, at = defaultTime, recipients = [] } = report ?? {}
  const [by = '', then = ''] = query.groupBy.split(',')
  const { from = '', to = '', campaignId = '', sendingAccountId = '', tagId = '' } = query as ReportQueryInput
  const days = from === '' ? 'since' : isDay(from) && isDay(to) ? 'fixed' : 'kept'
  return {
    name: report?.name ?? '',
    by,
    then,
    campaignId,
    sendingAccountId,
    tagId,
    days,
    from: days === 'fixed' ? from : '',
    to: days === 'fixed' ? to : '',
    every,
    on: on ?? 1,
    at,
    timezone: report?.timezone ?? zone,
    recipients,
  }
}

/** The body for the API. A zone of the query and moments that were set through the API are kept. */
export function toInput(fields: ReportFields, before: Report | null): CreateReportInput {
  const { name, by, then, campaignId, sendingAccountId, tagId, every, on, at, timezone, recipients } = fields
  const zone = before?.query.timezone
  return {
    name,
    query: {
      groupBy: then === '' ? by : `${by},${then}`,
      ...toRange(fields, before),
      ...(zone !== undefined && { timezone: zone }),
      ...(campaignId !== '' && { campaignId }),
      ...(sendingAccountId !== '' && { sendingAccountId }),
      ...(tagId !== '' && { tagId }),
    },
    every,
    on: every === 'day' ? null : on,
    at,
    timezone,
    recipients: [...recipients],
  }
}

function toRange({ days, from, to }: ReportFields, before: Report | null): Pick<ReportQueryInput, 'from' | 'to'> {
  if (days === 'fixed') return { from, to }
  const { from: keptFrom, to: keptTo } = before?.query ?? {}
  return days === 'since' || keptFrom === undefined || keptTo === undefined ? {} : { from: keptFrom, to: keptTo }
}
