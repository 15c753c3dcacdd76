import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import {
  type CreateReportInput,
  lastOn,
  type Report,
  type ReportQuery,
  reportsMax,
  type UpdateReportInput,
} from '@overture/contract/reports/reports.ts'
import { lockAccount } from '../accounts/index.ts'
import { findDefaultTimezone } from '../analytics/index.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { presentReport, readSchedule, reportedRange, type ReportRow, storedQuery } from './report.ts'
import {
  countReports,
  deleteReport,
  findQueried,
  insertReport,
  lockActiveUsers,
  lockReport,
  updateReport,
  updateReportRun,
} from './reports.sql.ts'
import { hasRunOfPeriod, insertRun, listDeliveries, listRuns } from './runs.sql.ts'
import { allowsOn, defaultOn, lastDueAt, nextDueAt, periodName, type ReportSchedule } from './schedule.ts'

export const dueJobKind = 'reports.due'
export const sendJobKind = 'reports.send'
const defaultTime = '08:00'

export async function createReport(
  tx: Transaction,
  tenant: Tenant,
  { input, now }: { input: CreateReportInput; now: Date },
): Promise<Report> {
  await lockAccount(tx, tenant.accountId)
  if ((await countReports(tx, tenant)) >= reportsMax)
    throw invalid({ path: 'name', rule: 'max', message: `There are ${reportsMax} reports already. Delete one first.` })
  const { name, active = true, every, at = defaultTime, recipients = [] } = input
  const { timezone = await findDefaultTimezone(tx, tenant), on = defaultOn(every) } = input
  const row = {
    id: newId('rep'),
    name,
    active,
    query: storedQuery(input.query),
    every,
    onDay: on,
    atTime: at,
    timezone,
    recipients: [...new Set(recipients)],
    createdAt: now,
  }
  assertOn(row)
  await assertQueried(tx, tenant, row.query)
  await assertRecipients(tx, tenant, recipients, [])
  const nextRunAt = active ? nextDueAt(readSchedule(row), now) : null
  await insertReport(tx, tenant, { ...row, nextRunAt })
  await enqueueDue(tx, tenant, { id: row.id, nextRunAt })
  return presentReport({ ...row, nextRunAt, lastRunId: null }, { run: undefined, deliveries: [] })
}

const readOnly = ['id', 'nextRunAt', 'lastRun', 'createdAt']

export async function changeReport(
  tx: Transaction,
  tenant: Tenant,
  { id, input, now }: { id: string; input: UpdateReportInput; now: Date },
): Promise<Report> {
  const row = await lockReport(tx, tenant, id)
  if (row === undefined) throw notFound()
  const found = changedReadOnly({ ...(await showReport(tx, tenant, row)) }, input, readOnly)
  if (found.length > 0) throw invalid(...found)
  const after = applyInput(row, input)
  assertOn(after)
  if (input.query !== undefined) await assertQueried(tx, tenant, after.query, row.query)
  if (input.recipients !== undefined) await assertRecipients(tx, tenant, input.recipients, row.recipients)
  const nextRunAt = await nextRun(tx, tenant, { before: row, after, now })
  await updateReport(tx, tenant, { ...after, nextRunAt })
  await enqueueDue(tx, tenant, { id, nextRunAt })
  return showReport(tx, tenant, { ...after, nextRunAt })
}

function applyInput(row: ReportRow, input: UpdateReportInput): ReportRow {
  const { name = row.name, active = row.active, every = row.every, at = row.atTime, timezone = row.timezone } = input
  const on = input.on === undefined ? (every === row.every ? row.onDay : defaultOn(every)) : input.on
  const query = input.query === undefined ? row.query : storedQuery(input.query)
  const recipients = [...new Set(input.recipients ?? row.recipients)]
  return { ...row, name, active, query, every, onDay: on, atTime: at, timezone, recipients }
}

/** A report whose time is unchanged keeps the due time, so that a run that is late is not lost. */
async function nextRun(
  tx: Transaction,
  tenant: Tenant,
  { before, after, now }: { before: ReportRow; after: ReportRow; now: Date },
): Promise<Date | null> {
  if (!after.active) return null
  const schedule = readSchedule(after)
  if (before.nextRunAt !== null && sameSchedule(readSchedule(before), schedule)) return before.nextRunAt
  const next = nextDueAt(schedule, now)
  const period = periodName(schedule, next)
  return (await hasRunOfPeriod(tx, tenant, { reportId: after.id, period })) ? nextDueAt(schedule, next) : next
}

function sameSchedule(one: ReportSchedule, other: ReportSchedule): boolean {
  return one.every === other.every && one.on === other.on && one.at === other.at && one.timezone === other.timezone
}

function assertOn({ every, onDay }: Pick<ReportRow, 'every' | 'onDay'>): void {
  if (allowsOn(every, onDay)) return
  const message = every === 'day' ? 'A daily report has no day.' : `Use a number from 1 to ${lastOn[every]}.`
  throw invalid({ path: 'on', rule: 'range', message })
}

/** Requires the campaign, the sender and the tag of the query. An unchanged one is accepted, because it may have been deleted. */
async function assertQueried(tx: Transaction, tenant: Tenant, query: ReportQuery, before?: ReportQuery): Promise<void> {
  const found = await findQueried(tx, tenant, query)
  const isNew = (name: 'campaignId' | 'sendingAccountId' | 'tagId') =>
    query[name] !== undefined && query[name] !== before?.[name]
  const issues = [
    ...(isNew('campaignId') && !found.campaign
      ? [unknown('query.campaignId', 'There is no campaign with this id.')]
      : []),
    ...(isNew('sendingAccountId') && !found.sender
      ? [unknown('query.sendingAccountId', 'There is no sending account with this id.')]
      : []),
    ...(isNew('tagId') && !found.tag ? [unknown('query.tagId', 'There is no tag with this id.')] : []),
  ]
  if (issues.length > 0) throw invalid(...issues)
}

async function assertRecipients(
  tx: Transaction,
  tenant: Tenant,
  ids: readonly string[],
  before: readonly string[],
): Promise<void> {
  const known = new Set([...before, ...(await lockActiveUsers(tx, tenant, ids))])
  const issues = ids.flatMap((id, at) =>
    known.has(id) ? [] : [unknown(`recipients[${at}]`, 'This is no active user of the account.')],
  )
  if (issues.length > 0) throw invalid(...issues)
}

const unknown = (path: string, message: string) => ({ path, rule: 'unknown', message })

export async function removeReport(tx: Transaction, tenant: Tenant, id: string) {
  if ((await deleteReport(tx, tenant, id)) === 0) throw notFound()
  return { id, deleted: true as const }
}

/** Starts a run at the request of a user. */
export async function startRun(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<Report> {
  const row = await lockReport(tx, tenant, id)
  if (row === undefined) throw notFound()
  const [last] = row.lastRunId === null ? [] : await listRuns(tx, tenant, [row.lastRunId])
  if (last?.status === 'running')
    throw new AppError('CONFLICT', 'The report is running. Wait until lastRun has a result.', {
      currentStatus: 'running',
      allowedActions: [],
    })
  const runId = await beginRun(tx, tenant, { row, period: null, at: now, now })
  await updateReportRun(tx, tenant, { id, lastRunId: runId, nextRunAt: row.nextRunAt })
  return showReport(tx, tenant, { ...row, lastRunId: runId })
}

/**
 * Starts the run of the newest period that is due, and plans the next one. Periods that were missed before it are left out. Nothing
 * happens for a report that is paused, deleted or not due.
 */
export async function startDueRun(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const row = await lockReport(tx, tenant, id)
  if (row === undefined || row.nextRunAt === null) return
  if (row.nextRunAt > now) return enqueueDue(tx, tenant, row)
  const schedule = readSchedule(row)
  const dueAt = lastDueAt(schedule, now)
  const runId = await beginRun(tx, tenant, { row, period: periodName(schedule, dueAt), at: dueAt, now })
  const nextRunAt = nextDueAt(schedule, now)
  await updateReportRun(tx, tenant, { id, lastRunId: runId ?? row.lastRunId, nextRunAt })
  await enqueueDue(tx, tenant, { id, nextRunAt })
}

interface RunBegin {
  row: ReportRow
  /** Null for a run by hand, which may be repeated. */
  period: string | null
  at: Date
  now: Date
}

/** Returns null if the period has a run. */
async function beginRun(tx: Transaction, tenant: Tenant, { row, period, at, now }: RunBegin): Promise<string | null> {
  const id = newId('rrn')
  const { from, to } = reportedRange(row, at)
  const run = { id, reportId: row.id, period, fromText: from, toText: to, createdAt: now }
  if (!(await insertRun(tx, tenant, run))) return null
  await enqueueJob(tx, { kind: sendJobKind, tenant, payload: { id }, runAt: now, key: id })
  return id
}

async function enqueueDue(tx: Transaction, tenant: Tenant, { id, nextRunAt }: Pick<ReportRow, 'id' | 'nextRunAt'>) {
  if (nextRunAt === null) return
  await enqueueJob(tx, { kind: dueJobKind, tenant, payload: { id }, runAt: nextRunAt, key: id })
}

export async function showReport(db: Executor, tenant: Tenant, row: ReportRow): Promise<Report> {
  const [shown] = await presentReports(db, tenant, [row])
  return shown!
}

/** The reports with their last runs. */
export async function presentReports(db: Executor, tenant: Tenant, rows: readonly ReportRow[]): Promise<Report[]> {
  const ids = rows.flatMap(({ lastRunId }) => lastRunId ?? [])
  const runs = ids.length === 0 ? [] : await listRuns(db, tenant, ids)
  const deliveries = ids.length === 0 ? [] : await listDeliveries(db, tenant, ids)
  return rows.map((row) =>
    presentReport(row, {
      run: runs.find(({ id }) => id === row.lastRunId),
      deliveries: deliveries.filter(({ runId }) => runId === row.lastRunId),
    }),
  )
}
