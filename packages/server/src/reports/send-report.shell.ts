import { analyticsEndpoints } from '@overture/contract/analytics/analytics.ts'
import { type GroupDimension, groupedAnalyticsQuery } from '@overture/contract/analytics/grouped-query.ts'
import { hasRole, requiredRole } from '@overture/contract/team/roles.ts'
import { groupedAnalytics } from '../analytics/index.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import type { SystemMailConfig } from '../platform/system-mail-config.ts'
import type { Tenant } from '../platform/tenant.ts'
import { sendLetter } from '../team/index.ts'
import { distinctNames, type GroupName } from './group-names.ts'
import { listCampaignNames, listSenderNames, listStepNames, listVariantNames } from './group-names.sql.ts'
import { type ReportFacts, type ReportLetter, writeReport } from './letter.ts'
import type { ReportRow, RunRow } from './report.ts'
import { findQueried, findReport } from './reports.sql.ts'
import {
  deleteDelivery,
  insertDelivery,
  listDeliveries,
  listRuns,
  lockRecipient,
  lockRun,
  updateDelivery,
  updateRunEnded,
  updateUncertainDeliveries,
} from './runs.sql.ts'

/** Sends a run that has begun: by mail to each recipient, else as an event. Throws if a mail has to be tried again. */
export async function sendRun(context: JobContext, runId: string, isLastTry: boolean): Promise<void> {
  const { app, tenant } = context
  const { db, config } = app
  const [run] = await listRuns(db, tenant, [runId])
  const report = run?.status === 'running' ? await findReport(db, tenant, run.reportId) : undefined
  if (run === undefined || report === undefined) return
  const facts = await readFacts(context, report, run)
  if (typeof facts === 'string') return endFailed(context, runId, facts)
  // A test environment opens no connection.
  const server = tenant.environment === 'live' && report.recipients.length > 0 ? config.systemMail : null
  if (server === null) return announce(context, { report, run, facts })
  const unsent = await mailAll(context, { report, run, server, letter: writeReport(facts), isLastTry })
  if (unsent !== null) throw new Error(`A report was not mailed: ${unsent}`)
  await endMailed(context, report, runId)
}

/** Returns the reason if the question has no answer any more. */
async function readFacts({ app, tenant }: JobContext, report: ReportRow, run: RunRow): Promise<ReportFacts | string> {
  const { db, config } = app
  const { campaignId, sendingAccountId, tagId } = report.query
  const found = await findQueried(db, tenant, report.query)
  if (campaignId !== undefined && !found.campaign) return 'The campaign of the query was deleted. Change the query.'
  if (sendingAccountId !== undefined && !found.sender)
    return 'The sending account of the query was deleted. Change the query.'
  if (tagId !== undefined && !found.tag) return 'The tag of the query was deleted. Change the query.'
  const asked = groupedAnalyticsQuery.parse({
    ...report.query,
    timezone: report.query.timezone ?? report.timezone,
    from: run.fromText,
    to: run.toText,
  })
  const analytics = await groupedAnalytics(db, tenant, asked)
  return {
    name: report.name,
    range: { from: run.fromText, to: run.toText },
    analytics,
    names: await readNames(db, tenant, analytics),
    url: `${config.publicUrl}/app/${tenant.environment}/reports/${report.id}`,
  }
}

/** The dimensions whose keys are ids. */
const nameLists = {
  campaign: listCampaignNames,
  sender: listSenderNames,
  step: listStepNames,
  variant: listVariantNames,
} as const
const namedDimensions = ['campaign', 'sender', 'step', 'variant'] as const

async function readNames(
  db: Executor,
  tenant: Tenant,
  { groupBy, groups, timezone }: ReportFacts['analytics'],
): Promise<ReportFacts['names']> {
  const names = new Map<GroupDimension, ReadonlyMap<string, GroupName>>()
  for (const dimension of namedDimensions) {
    const at = groupBy.indexOf(dimension)
    if (at < 0) continue
    const ids = [...new Set(groups.flatMap(({ key }) => key[at] ?? []))]
    const rows = await nameLists[dimension](db, tenant, ids)
    names.set(dimension, distinctNames(rows, timezone))
  }
  return names
}

interface Announcement {
  report: ReportRow
  run: RunRow
  facts: ReportFacts
}

/** Writes the event in the transaction that ends the run, so there is one event for each run. */
async function announce({ app, tenant, now }: JobContext, { report, run, facts }: Announcement): Promise<void> {
  const { id, name, query, recipients } = report
  const data = {
    reportId: id,
    name,
    groupBy: query.groupBy,
    from: run.fromText,
    to: run.toText,
    timezone: facts.analytics.timezone,
    recipients,
    url: facts.url,
  }
  await app.db.transaction(async (tx) => {
    if (!(await updateRunEnded(tx, tenant, { id: run.id, status: 'announced', error: null }))) return
    await appendEvents(tx, tenant, [
      { type: 'report.ready', occurredAt: now, campaignId: query.campaignId ?? null, data },
    ])
  })
}

interface MailedReport {
  report: ReportRow
  run: RunRow
  server: SystemMailConfig
  letter: ReportLetter
  isLastTry: boolean
}

/** Mails each recipient whose mail is not decided. Returns the reason of a mail that has to be tried again, else null. */
async function mailAll(context: JobContext, mailed: MailedReport): Promise<string | null> {
  const { signal } = context
  let unsent: string | null = null
  for (const userId of mailed.report.recipients) {
    signal.throwIfAborted()
    unsent = (await mailOne(context, mailed, userId)) ?? unsent
  }
  return unsent
}

/**
 * The mail is claimed before it is sent, so a process that ends in between never sends it twice. The claim of a mail that was
 * certainly not sent is released for the next try.
 */
async function mailOne(
  { app, tenant, now }: JobContext,
  { run, server, letter, isLastTry }: MailedReport,
  userId: string,
): Promise<string | null> {
  const key = { runId: run.id, userId }
  const email = await app.db.transaction((tx) => claimMail(tx, tenant, key))
  if (email === null) return null
  const messageId = `${run.id}.${userId}`
  const result = await sendLetter(app, server, { ...letter, to: email, messageId, date: now })
  switch (result.kind) {
    case 'sent':
      await updateDelivery(app.db, tenant, { ...key, status: 'sent', reason: null })
      return null
    case 'uncertain':
      app.log.warn({ event: 'report.uncertain', runId: run.id, userId })
      await updateDelivery(app.db, tenant, { ...key, status: 'skipped', reason: 'mail_uncertain' })
      return null
    case 'failed':
      if (isLastTry) await updateDelivery(app.db, tenant, { ...key, status: 'skipped', reason: 'mail_failed' })
      else await deleteDelivery(app.db, tenant, key)
      return isLastTry ? null : result.reason
  }
}

const readerRole = requiredRole(analyticsEndpoints.getGroupedAnalytics)

/** Returns the address, or null if the mail was decided before or the user may not get it now. */
async function claimMail(
  tx: Transaction,
  tenant: Tenant,
  key: { runId: string; userId: string },
): Promise<string | null> {
  if (!(await lockRun(tx, tenant, key.runId))) return null
  const user = await lockRecipient(tx, tenant, key.userId)
  const reason =
    user === undefined
      ? ('removed' as const)
      : user.status !== 'active'
        ? ('disabled' as const)
        : hasRole(user.role, readerRole)
          ? null
          : ('role' as const)
  const status = reason === null ? ('claimed' as const) : ('skipped' as const)
  const isFirst = await insertDelivery(tx, tenant, { ...key, status, reason })
  return isFirst && status === 'claimed' ? (user?.email ?? null) : null
}

const noneSent = 'No recipient got the report.'

async function endMailed({ app, tenant }: JobContext, { recipients }: ReportRow, runId: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await updateUncertainDeliveries(tx, tenant, runId)
    const deliveries = await listDeliveries(tx, tenant, [runId])
    const isSent = deliveries.some(({ status, userId }) => status === 'sent' && recipients.includes(userId))
    const [status, error] = isSent ? (['sent', null] as const) : (['failed', noneSent] as const)
    await updateRunEnded(tx, tenant, { id: runId, status, error })
  })
}

async function endFailed({ app, tenant }: JobContext, runId: string, error: string): Promise<void> {
  await app.db.transaction((tx) => updateRunEnded(tx, tenant, { id: runId, status: 'failed', error }))
}

/** Ends a run whose tries all failed. Mails that may have been sent are told as such. */
export async function giveUpRun(tx: Transaction, tenant: Tenant, runId: string): Promise<void> {
  await updateUncertainDeliveries(tx, tenant, runId)
  const error = 'The report could not be written. Run it again. The log of the server has the reason.'
  await updateRunEnded(tx, tenant, { id: runId, status: 'failed', error })
}
