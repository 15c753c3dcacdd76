import type { GroupedAnalyticsQuery } from '@overture/contract/analytics/grouped-query.ts'
import type { Report, ReportInterval, ReportQuery, ReportSkipReason } from '@overture/contract/reports/reports.ts'
import { coveredDays, type CoveredDays, type ReportSchedule } from './schedule.ts'

export interface ReportRow {
  id: string
  name: string
  active: boolean
  query: ReportQuery
  every: ReportInterval
  onDay: number | null
  atTime: string
  timezone: string
  recipients: string[]
  nextRunAt: Date | null
  lastRunId: string | null
  createdAt: Date
}

export interface RunRow {
  id: string
  reportId: string
  fromText: string
  toText: string
  status: NonNullable<Report['lastRun']>['status']
  error: string | null
  createdAt: Date
}

export interface DeliveryRow {
  runId: string
  userId: string
  status: 'claimed' | 'sent' | 'skipped'
  reason: ReportSkipReason | null
}

export function readSchedule({
  every,
  onDay,
  atTime,
  timezone,
}: Pick<ReportRow, 'every' | 'onDay' | 'atTime' | 'timezone'>) {
  return { every, on: onDay, at: atTime, timezone } satisfies ReportSchedule
}

/** The query as it was sent. */
export function storedQuery({ groupBy, ...query }: GroupedAnalyticsQuery): ReportQuery {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  return { groupBy: groupBy.join(','), ...Object.fromEntries(sent) }
}

/** The days of a run: those of the query, else the whole days since the report before. */
export function reportedRange(row: Pick<ReportRow, 'query' | 'every' | 'onDay' | 'timezone'>, at: Date): CoveredDays {
  const { from, to } = row.query
  if (from !== undefined && to !== undefined) return { from, to }
  return coveredDays({ every: row.every, on: row.onDay, timezone: row.timezone }, at)
}

interface LastRun {
  run: RunRow | undefined
  deliveries: readonly DeliveryRow[]
}

export function presentReport(row: ReportRow, { run, deliveries }: LastRun): Report {
  const { id, name, active, query, every, recipients, timezone } = row
  return {
    id,
    name,
    active,
    query,
    every,
    on: row.onDay,
    at: row.atTime,
    timezone,
    recipients,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRun: run === undefined ? null : presentRun(run, deliveries),
    createdAt: row.createdAt.toISOString(),
  }
}

function presentRun(
  { createdAt, status, fromText, toText, error }: RunRow,
  deliveries: readonly DeliveryRow[],
): NonNullable<Report['lastRun']> {
  return {
    at: createdAt.toISOString(),
    status,
    from: fromText,
    to: toText,
    deliveredTo: deliveries.filter((one) => one.status === 'sent').map(({ userId }) => userId),
    skipped: deliveries.flatMap(({ userId, reason }) => (reason === null ? [] : [{ userId, reason }])),
    error,
  }
}
