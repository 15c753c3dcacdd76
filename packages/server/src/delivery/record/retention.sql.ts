import type { Executor } from '../../platform/db/database.ts'

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

const over = `'sent', 'bounced', 'failed', 'received'`

interface OldContent {
  accountId: string
  environment: string
  messageId: string
}

/** Bytes and texts of messages whose delivery has ended. Recipient, time and outcome are kept, so all limits still work. */
export async function listOldContentsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldContent[]> {
  return db.query<OldContent>(
    `select k.account_id, k.environment, k.message_id from message_contents k
     where k.recorded_at < $1 and exists (select 1 from message_heads m
       where m.account_id = k.account_id and m.environment = k.environment and m.id = k.message_id
         and m.status in (${over})) limit $2`,
    [before, limit],
    'list_old_contents',
  )
}

export async function deleteOldContents(
  db: Executor,
  accountId: string,
  rows: readonly OldContent[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from message_contents where account_id = $1 and (environment, message_id) in (
       select k.environment, k.message_id from message_contents k
       where k.account_id = $1 and k.recorded_at < $2
         and (k.environment, k.message_id) in (select * from unnest($3::text[], $4::text[]))
         and exists (select 1 from message_heads m
           where m.account_id = $1 and m.environment = k.environment and m.id = k.message_id and m.status in (${over}))
       for update of k skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.messageId)],
    'delete_old_contents',
  )
}
