import type { Executor } from '../platform/db/database.ts'

interface OldSenderDay {
  accountId: string
  environment: string
  sendingAccountId: string
  day: string
}

/** The counters of days that no limit reads any more. */
export async function listOldSenderDaysAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldSenderDay[]> {
  return db.query<OldSenderDay>(
    `select account_id, environment, sending_account_id, day from sender_days where day < $1::date limit $2`,
    [before, limit],
    'list_old_sender_days',
  )
}

export async function deleteOldSenderDays(
  db: Executor,
  accountId: string,
  rows: readonly OldSenderDay[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from sender_days where account_id = $1 and (environment, sending_account_id, day) in (
       select environment, sending_account_id, day from sender_days where account_id = $1 and day < $2::date
         and (environment, sending_account_id, day) in (select * from unnest($3::text[], $4::text[], $5::date[])) for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.sendingAccountId),
      rows.map((row) => row.day),
    ],
    'delete_old_sender_days',
  )
}

interface OldCampaignDay {
  accountId: string
  environment: string
  campaignId: string
  day: string
}

export async function listOldCampaignDaysAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldCampaignDay[]> {
  return db.query<OldCampaignDay>(
    `select account_id, environment, campaign_id, day from campaign_days where day < $1::date limit $2`,
    [before, limit],
    'list_old_campaign_days',
  )
}

export async function deleteOldCampaignDays(
  db: Executor,
  accountId: string,
  rows: readonly OldCampaignDay[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from campaign_days where account_id = $1 and (environment, campaign_id, day) in (
       select environment, campaign_id, day from campaign_days where account_id = $1 and day < $2::date
         and (environment, campaign_id, day) in (select * from unnest($3::text[], $4::text[], $5::date[])) for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.campaignId),
      rows.map((row) => row.day),
    ],
    'delete_old_campaign_days',
  )
}

interface OldCampaignDomainDay {
  accountId: string
  environment: string
  campaignId: string
  day: string
  domain: string
}

export async function listOldCampaignDomainDaysAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldCampaignDomainDay[]> {
  return db.query<OldCampaignDomainDay>(
    `select account_id, environment, campaign_id, day, domain from campaign_domain_days where day < $1::date limit $2`,
    [before, limit],
    'list_old_campaign_domain_days',
  )
}

export async function deleteOldCampaignDomainDays(
  db: Executor,
  accountId: string,
  rows: readonly OldCampaignDomainDay[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from campaign_domain_days where account_id = $1 and (environment, campaign_id, day, domain) in (
       select environment, campaign_id, day, domain from campaign_domain_days where account_id = $1 and day < $2::date
         and (environment, campaign_id, day, domain) in (
           select * from unnest($3::text[], $4::text[], $5::date[], $6::text[])) for update skip locked)`,
    [
      accountId,
      before,
      rows.map((row) => row.environment),
      rows.map((row) => row.campaignId),
      rows.map((row) => row.day),
      rows.map((row) => row.domain),
    ],
    'delete_old_campaign_domain_days',
  )
}
