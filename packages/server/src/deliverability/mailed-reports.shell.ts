import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ReportRefusal } from './report-faults.ts'
import { judgeReading, type ReportReading } from './report-reading.ts'
import { takeReport } from './reports.commands.ts'

interface MailedReport {
  sendingAccountId: string
  reading: ReportReading
  now: Date
}

/** Stores a report that came by mail. A report that is refused is logged with its reason and changes nothing. */
export async function takeMailedReport(
  app: App,
  tenant: Tenant,
  { sendingAccountId, reading, now }: MailedReport,
): Promise<void> {
  const judged = judgeReading(reading)
  const refuse = (reason: ReportRefusal) =>
    app.log.warn({ event: 'deliverability.report_refused', accountId: tenant.accountId, sendingAccountId, reason })
  if ('refusal' in judged) return refuse(judged.refusal)
  const { report } = judged
  const taken = await app.db.transaction((tx) => takeReport(tx, tenant, { report, sendingAccountId, now }))
  if (taken.outcome === 'refused') refuse(taken.refusal)
}
