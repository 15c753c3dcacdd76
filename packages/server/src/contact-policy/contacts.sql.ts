import type { Contact, Exchange } from '@overture/planner/contact-policy.ts'
import { openList } from '@overture/ground/lead-statuses.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** More messages than the limits of a person can count. */
const contactsPerPersonMax = 1000

interface ContactRow extends Omit<Contact, 'atMs'> {
  addressHash: Buffer
  at: Date
}

/** The newest messages to each person, oldest first. */
export async function listContacts(db: Executor, tenant: Tenant, hashes: readonly Buffer[]): Promise<ContactRow[]> {
  if (hashes.length === 0) return []
  return db.query<ContactRow>(
    `select h.hash as address_hash, c.at, c.campaign_id, c.lead_id, exists (
       select 1 from lead_progress p join campaigns k on k.account_id = $1 and k.environment = $2 and k.id = p.campaign_id
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = c.campaign_id and p.lead_id = c.lead_id
         and p.status in ${openList} and k.deleted_at is null) as is_open
     from unnest($3::bytea[]) h (hash) cross join lateral (
       select at, campaign_id, lead_id, message_id from contacts
       where account_id = $1 and environment = $2 and address_hash = h.hash
       order by at desc, message_id desc limit $4) c
     order by c.at, c.message_id`,
    [tenant.accountId, tenant.environment, hashes, contactsPerPersonMax],
    'list_contacts',
  )
}

/** When the newest people of each company were first contacted, oldest first. */
export async function listCompanyContacts(
  db: Executor,
  tenant: Tenant,
  { companies, limit }: { companies: readonly string[]; limit: number },
): Promise<{ company: string; at: Date }[]> {
  if (companies.length === 0) return []
  return db.query(
    `select k.company, c.at from unnest($3::text[]) k (company) cross join lateral (
       select at from contacts
       where account_id = $1 and environment = $2 and company = k.company and first and company is not null
       order by at desc limit $4) c
     order by c.at`,
    [tenant.accountId, tenant.environment, companies, limit],
    'list_company_contacts',
  )
}

/**
 * The insert of contacts for a statement that claims messages. `relation` is SQL for the messages with address_hash, message_id,
 * campaign_id, lead_id, company and at. A person's first message is the first of the table and of the statement, which may
 * claim two of different campaigns.
 */
export function insertContacts(relation: string): string {
  return `insert into contacts (account_id, environment, address_hash, message_id, campaign_id, lead_id, company, first, at)
       select $1, $2, t.address_hash, t.message_id, t.campaign_id, t.lead_id, t.company,
         row_number() over (partition by t.address_hash order by t.message_id) = 1 and not exists (select 1 from contacts k
           where k.account_id = $1 and k.environment = $2 and k.address_hash = t.address_hash and k.message_id <> t.message_id), t.at
       from (${relation}) t
       on conflict (account_id, environment, address_hash, message_id) do update set at = excluded.at`
}

/**
 * The deletion of contacts for a statement that gives claims back. `relation` has their address_hash and message_id. The caller passes
 * these hashes to `renewFirstContacts`.
 */
export function deleteContactsSql(relation: string): string {
  return `delete from contacts k using ${relation} g
       where k.account_id = $1 and k.environment = $2 and k.address_hash = g.address_hash and k.message_id = g.message_id`
}

/** Deletes the contacts of messages that were not sent, or that came back. Returns how many there were. */
export async function deleteContacts(
  db: Executor,
  tenant: Tenant,
  contacts: { hashes: readonly Buffer[]; messageIds: readonly string[] },
): Promise<number> {
  const deleted = await db.execute(
    deleteContactsSql('(select * from unnest($3::bytea[], $4::text[]) t (address_hash, message_id))'),
    [tenant.accountId, tenant.environment, contacts.hashes, contacts.messageIds],
    'delete_contacts',
  )
  if (deleted > 0) await renewFirstContacts(db, tenant, contacts.hashes)
  return deleted
}

/**
 * Makes the oldest message to a person the first one if the first one was deleted, so that the limit per company still counts the
 * person.
 */
export async function renewFirstContacts(
  db: Executor,
  tenant: Tenant,
  hashes: readonly (Buffer | null)[],
): Promise<void> {
  if (hashes.length === 0) return
  await db.execute(
    `update contacts k set first = true
     from (select distinct hash from unnest($3::bytea[]) t (hash)) h cross join lateral (
       select c.message_id, c.first from contacts c
       where c.account_id = $1 and c.environment = $2 and c.address_hash = h.hash
       order by c.first desc, c.at, c.message_id limit 1) n
     where k.account_id = $1 and k.environment = $2 and k.address_hash = h.hash and k.message_id = n.message_id and not n.first`,
    [tenant.accountId, tenant.environment, hashes],
    'renew_first_contacts',
  )
}

interface ExchangeRow extends Omit<Exchange, 'atMs'> {
  addressHash: Buffer
  at: Date
  ofCampaign: boolean
}

/** The newest mail exchanged with each person, of each kind. */
export async function listExchanges(db: Executor, tenant: Tenant, hashes: readonly Buffer[]): Promise<ExchangeRow[]> {
  if (hashes.length === 0) return []
  return db.query<ExchangeRow>(
    `select distinct on (e.address_hash, e.of_campaign) e.address_hash, e.of_campaign, e.direction, e.at,
       coalesce(s.email, 'A mailbox') as mailbox
     from exchanges e
     left join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = e.sending_account_id
     where e.account_id = $1 and e.environment = $2 and e.address_hash = any($3)
     order by e.address_hash, e.of_campaign, e.at desc`,
    [tenant.accountId, tenant.environment, hashes],
    'list_exchanges',
  )
}

/** The newest mail that was exchanged with each company outside of campaigns. */
export async function listCompanyExchanges(
  db: Executor,
  tenant: Tenant,
  companies: readonly string[],
): Promise<(Omit<Exchange, 'atMs'> & { company: string; at: Date })[]> {
  if (companies.length === 0) return []
  return db.query(
    `select k.company, e.direction, e.at, coalesce(s.email, 'A mailbox') as mailbox
     from unnest($3::text[]) k (company) cross join lateral (
       select direction, at, sending_account_id from exchanges
       where account_id = $1 and environment = $2 and company = k.company and company is not null and not of_campaign
       order by at desc limit 1) e
     left join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = e.sending_account_id`,
    [tenant.accountId, tenant.environment, companies],
    'list_company_exchanges',
  )
}

interface NewExchange {
  addressHash: Buffer
  company: string | null
  sendingAccountId: string
  direction: 'inbound' | 'outbound'
  ofCampaign: boolean
  at: Date
}

const exchangeColumns: readonly ListColumn<NewExchange>[] = [
  ['address_hash', 'bytea', (row) => row.addressHash],
  ['company', 'text', (row) => row.company],
  ['sender_id', 'text', (row) => row.sendingAccountId],
  ['direction', 'text', (row) => row.direction],
  ['of_campaign', 'boolean', (row) => row.ofCampaign],
  ['at', 'timestamptz', (row) => row.at],
]

/** Keeps the newest time of each kind. */
export async function upsertExchanges(db: Executor, tenant: Tenant, rows: readonly NewExchange[]): Promise<void> {
  if (rows.length === 0) return
  await db.execute(
    `insert into exchanges as e (account_id, environment, address_hash, company, sending_account_id, direction, of_campaign, at)
     select a.account_id, $2, t.address_hash, t.company, t.sender_id, t.direction, t.of_campaign, t.at
     from accounts a, ${listedRows(exchangeColumns, 3)} where a.account_id = $1 order by 3, 5
     on conflict (account_id, environment, address_hash, sending_account_id, direction, of_campaign)
     do update set at = greatest(e.at, excluded.at), company = excluded.company`,
    [tenant.accountId, tenant.environment, ...rowLists(exchangeColumns, rows)],
    'upsert_exchanges',
  )
}
