import type { Executor } from '../platform/db/database.ts'

interface OldReport {
  accountId: string
  environment: string
  id: string
}

export async function listOldReportsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldReport[]> {
  return db.query<OldReport>(
    `select account_id, environment, id from dmarc_reports where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_dmarc_reports',
  )
}

export async function deleteOldReports(
  db: Executor,
  accountId: string,
  rows: readonly OldReport[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from dmarc_reports where account_id = $1 and (environment, id) in (
       select environment, id from dmarc_reports where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_dmarc_reports',
  )
}

/** An address of a domain on a day. Its rows are deleted together. */
interface OldSource {
  accountId: string
  environment: string
  domain: string
  day: string
  sourceIp: string
}

export async function listOldSourcesAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldSource[]> {
  return db.query<OldSource>(
    `select account_id, environment, domain, day::text as day, source_ip from dmarc_sources where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_dmarc_sources',
  )
}

export async function deleteOldSources(
  db: Executor,
  accountId: string,
  rows: readonly OldSource[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from dmarc_sources where account_id = $1 and (environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned) in (
       select environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned from dmarc_sources
       where account_id = $1 and recorded_at < $2
         and (environment, domain, day, source_ip) in (select * from unnest($3::text[], $4::text[], $5::date[], $6::text[]))
       for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.domain),
      rows.map((row) => row.day),
      rows.map((row) => row.sourceIp),
    ],
    'delete_old_dmarc_sources',
  )
}

interface OldDomain {
  accountId: string
  environment: string
  domain: string
}

export async function listOldRecipientDomainsAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldDomain[]> {
  return db.query<OldDomain>(
    `select account_id, environment, domain from recipient_domains where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_recipient_domains',
  )
}

export async function deleteOldRecipientDomains(
  db: Executor,
  accountId: string,
  rows: readonly OldDomain[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from recipient_domains where account_id = $1 and (environment, domain) in (
       select environment, domain from recipient_domains where account_id = $1 and recorded_at < $2
         and (environment, domain) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.domain)],
    'delete_old_recipient_domains',
  )
}
