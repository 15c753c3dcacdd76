import type { DmarcPolicy } from '@overture/contract/deliverability/deliverability.ts'
import type { ReportRow } from '@overture/mail-reading/dmarc/dmarc-report.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

interface ReportKey {
  policyDomain: string
  orgName: string
  reportId: string
}

export interface DmarcReportRow extends ReportKey {
  id: string
  policy: DmarcPolicy
  beginsAt: Date
  endsAt: Date
  messages: number
  spfAligned: number
  dkimAligned: number
  receivedAt: Date
}

const columns = `id, policy_domain, org_name, report_id, policy, begins_at, ends_at, messages::float8 as messages,
  spf_aligned::float8 as spf_aligned, dkim_aligned::float8 as dkim_aligned, received_at`

export async function findReport(db: Executor, tenant: Tenant, key: ReportKey): Promise<DmarcReportRow | null> {
  const rows = await db.query<DmarcReportRow>(
    `select ${columns} from dmarc_reports
     where account_id = $1 and environment = $2 and policy_domain = $3 and org_name = $4 and report_id = $5`,
    [tenant.accountId, tenant.environment, key.policyDomain, key.orgName, key.reportId],
    'find_dmarc_report',
  )
  return rows[0] ?? null
}

/** Returns false if the same report was stored meanwhile. */
export async function insertReport(tx: Executor, tenant: Tenant, row: DmarcReportRow): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into dmarc_reports (account_id, environment, id, policy_domain, org_name, report_id, policy, begins_at, ends_at, messages,
       spf_aligned, dkim_aligned, received_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (account_id, environment, policy_domain, org_name, report_id) do nothing`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.policyDomain,
      row.orgName,
      row.reportId,
      row.policy,
      row.beginsAt,
      row.endsAt,
      row.messages,
      row.spfAligned,
      row.dkimAligned,
      row.receivedAt,
    ],
    'insert_dmarc_report',
  )
  return inserted === 1
}

/** Counts reports of a domain that were received after a time, up to a limit. */
export async function countNewReports(
  db: Executor,
  tenant: Tenant,
  { policyDomain, since, limit }: { policyDomain: string; since: Date; limit: number },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from dmarc_reports where account_id = $1 and environment = $2 and policy_domain = $3
         and received_at > $4 limit $5) counted`,
    [tenant.accountId, tenant.environment, policyDomain, since, limit],
    'count_new_dmarc_reports',
  )
  return rows[0]?.count ?? 0
}

const sourceColumns: readonly ListColumn<ReportRow>[] = [
  ['domain', 'text', (row) => row.domain],
  ['ip', 'text', (row) => row.ip],
  ['disposition', 'text', (row) => row.disposition],
  ['spf', 'boolean', (row) => row.spfAligned],
  ['dkim', 'boolean', (row) => row.dkimAligned],
  ['messages', 'bigint', (row) => row.messages],
]

/** Adds the messages of a report to its day. Rows are locked in one order, so two reports can't wait for each other. */
export async function upsertSources(
  tx: Executor,
  tenant: Tenant,
  { day, rows }: { day: string; rows: readonly ReportRow[] },
): Promise<void> {
  await tx.execute(
    `insert into dmarc_sources as s (account_id, environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned, messages)
     select a.account_id, $2, t.domain, $3::date, t.ip, t.disposition, t.spf, t.dkim, t.messages
     from accounts a, ${listedRows(sourceColumns, 4)} where a.account_id = $1
     order by t.domain, t.ip, t.disposition, t.spf, t.dkim
     on conflict (account_id, environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned)
     do update set messages = s.messages + excluded.messages`,
    [tenant.accountId, tenant.environment, day, ...rowLists(sourceColumns, rows)],
    'upsert_dmarc_sources',
  )
}

/** Lists domains of sending accounts and tracking domains that are this one, below it or above it. */
export async function listRelatedDomains(
  db: Executor,
  tenant: Tenant,
  { domain, limit }: { domain: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(
    `select distinct o.domain from (
       select lower(split_part(email, '@', 2)) as domain from sending_accounts where account_id = $1 and environment = $2
       union all
       select lower(tracking_domain) from sending_accounts
       where account_id = $1 and environment = $2 and tracking_domain is not null) o
     where o.domain = $3 or right(o.domain, length($3) + 1) = '.' || $3 or right($3, length(o.domain) + 1) = '.' || o.domain
     order by o.domain limit $4`,
    [tenant.accountId, tenant.environment, domain, limit],
    'list_related_domains',
  )
  return rows.map((row) => row.domain)
}
