import type { DmarcReport as PresentedReport } from '@overture/contract/deliverability/deliverability.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { DmarcReport } from '@overture/mail-reading/dmarc/dmarc-report.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ReportRefusal } from './report-faults.ts'
import { mergeSources, sumRows } from './report-sources.ts'
import {
  countNewReports,
  findReport,
  insertReport,
  listRelatedDomains,
  upsertSources,
  type DmarcReportRow,
} from './reports.sql.ts'

/** A domain has some reports per day and receiver. The limit bounds what others can make this account store. */
const reportsPerDayMax = 300
const relatedDomainsMax = 1_000
const dayLength = 10

type TakenReport = { outcome: 'stored' | 'known'; row: DmarcReportRow } | { outcome: 'refused'; refusal: ReportRefusal }

/**
 * Stores a report that was read, once per receiver, report id and domain. Anyone can write a report. The only proof is that its
 * rows are about a domain of the account, so only such rows are kept.
 */
export async function takeReport(
  tx: Transaction,
  tenant: Tenant,
  { report, sendingAccountId, now }: { report: DmarcReport; sendingAccountId: string | null; now: Date },
): Promise<TakenReport> {
  const { policyDomain, orgName, reportId } = report
  const owned = await listRelatedDomains(tx, tenant, { domain: policyDomain, limit: relatedDomainsMax })
  const rows = mergeSources(report.rows, new Set(owned))
  if (rows.length === 0) return { outcome: 'refused', refusal: 'foreign_domain' }
  const known = await findReport(tx, tenant, report)
  if (known !== null) return { outcome: 'known', row: known }
  const since = new Date(now.getTime() - dayMs)
  const today = await countNewReports(tx, tenant, { policyDomain, since, limit: reportsPerDayMax })
  if (today >= reportsPerDayMax) return { outcome: 'refused', refusal: 'too_many_reports' }
  const row: DmarcReportRow = {
    id: newId('dmr'),
    policyDomain,
    orgName,
    reportId,
    policy: report.policy,
    beginsAt: new Date(report.beginsAtMs),
    endsAt: new Date(report.endsAtMs),
    ...sumRows(rows),
    receivedAt: now,
  }
  if (!(await insertReport(tx, tenant, row)))
    return { outcome: 'known', row: (await findReport(tx, tenant, row)) ?? row }
  await upsertSources(tx, tenant, { day: row.beginsAt.toISOString().slice(0, dayLength), rows })
  await tellReport(tx, tenant, { row, sendingAccountId, now })
  return { outcome: 'stored', row }
}

async function tellReport(
  tx: Transaction,
  tenant: Tenant,
  { row, sendingAccountId, now }: { row: DmarcReportRow; sendingAccountId: string | null; now: Date },
): Promise<void> {
  const { id, policyDomain, orgName, beginsAt, endsAt, messages, spfAligned, dkimAligned } = row
  await appendEvents(tx, tenant, [
    {
      type: 'domain.report_received',
      occurredAt: now,
      sendingAccountId,
      data: {
        reportId: id,
        domain: policyDomain,
        orgName,
        beginsAt: beginsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        messages,
        spfAligned,
        dkimAligned,
      },
    },
  ])
}

export function presentReport({ policyDomain, beginsAt, endsAt, receivedAt, ...row }: DmarcReportRow): PresentedReport {
  return {
    ...row,
    domain: policyDomain,
    beginsAt: beginsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    receivedAt: receivedAt.toISOString(),
  }
}
