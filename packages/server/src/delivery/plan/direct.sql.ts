import type { RefusedRecipient } from '@overture/contract/delivery/delivery.ts'
import { insertContacts } from '../../contact-policy/index.ts'
import { columnList, listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { budgetList, type Lease } from './claims.sql.ts'
import type { DirectClaim, DirectRow } from './direct.ts'
import type { DirectKind, Envelope } from './recipients.ts'

/** Locks due messages that bypass the planner (manual replies, send-now, notices) for this transaction. */
export async function lockDirectMessages(
  tx: Executor,
  tenant: Tenant,
  due: { now: Date; limit: number },
): Promise<DirectRow[]> {
  return tx.query<DirectRow>(
    `select m.id, m.kind, m.campaign_id, m.lead_id, l.email as lead_email, l.company_domain, m.step_id, m.sending_account_id,
       l.email_domain, l.last_contacted_at is null as first, m.thread_id, coalesce(m.to_addresses, '[]') as "to",
       coalesce(m.cc_addresses, '[]') as cc, coalesce(m.bcc_addresses, '[]') as bcc, coalesce(m.to_stranger, false) as to_stranger,
       coalesce(m.failure->'refusedRecipients', '[]') as refused_before
     from message_heads m
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.attempt_at <= $3 and m.status = 'queued'
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
     order by m.attempt_at limit $4 for update of m skip locked`,
    [tenant.accountId, tenant.environment, due.now, due.limit],
    'lock_direct_messages',
  )
}

type HashedClaim = DirectClaim & { addressHash: Buffer | null }

const columns: readonly ListColumn<HashedClaim>[] = [
  ['message_id', 'text', ({ row }) => row.id],
  ['kind', 'text', ({ row }) => row.kind],
  ['campaign_id', 'text', ({ row }) => row.campaignId],
  ['lead_id', 'text', ({ row }) => row.leadId],
  ['step_id', 'text', ({ row }) => row.stepId],
  ['sender_id', 'text', ({ row }) => row.sendingAccountId],
  ['email', 'text', ({ row }) => row.leadEmail],
  ['sender_day', 'date', ({ counted }) => counted.senderDay],
  ['campaign_day', 'date', ({ counted }) => counted.campaignDay],
  ['first', 'boolean', ({ counted }) => counted.first],
  ['domain', 'text', ({ counted }) => counted.domain],
  ['address_hash', 'bytea', (claim) => claim.addressHash],
  ['company', 'text', ({ contact }) => contact?.company],
  ['budgets', 'text', ({ counted }) => budgetList(counted)],
]
const list = (name: string) => columnList(columns, 6, name)

const countedClaims = `select c.*, t.company, $3::timestamptz as at
  from claimed c join unnest(${list('message_id')}, ${list('company')}) t (message_id, company) on t.message_id = c.message_id
  where c.address_hash is not null`

/** Returns the messages that are claimed now. `countDirectToday` counts people's messages and notices by this time. */
export async function claimDirectMessages(
  tx: Executor,
  tenant: Tenant,
  claims: readonly HashedClaim[],
  lease: Lease & { now: Date },
): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(
    `with claimed as (
       insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, lead_email,
         sender_day, campaign_day, first, domain, address_hash, claimed_at, lease_token, lease_until, budgets)
       select a.account_id, $2, t.message_id, t.kind, t.campaign_id, t.lead_id, t.step_id, t.sender_id, t.email, t.sender_day,
         t.campaign_day, t.first, t.domain, t.address_hash, $3, $4, clock_timestamp() + $5::int * interval '1 millisecond',
         string_to_array(t.budgets, ' ')
       from accounts a, ${listedRows(columns, 6)} where a.account_id = $1
       on conflict do nothing returning message_id, kind, campaign_id, lead_id, address_hash),
     contacted as (${insertContacts(countedClaims)}),
     heads as (
       update message_heads m set claimed_at = $3 from claimed c
       where m.account_id = $1 and m.environment = $2 and m.id = any(${list('message_id')}) and m.id = c.message_id
         and c.kind in ('manual', 'notification', 'test'))
     select message_id as id from claimed`,
    [tenant.accountId, tenant.environment, lease.now, lease.token, lease.leaseMs, ...rowLists(columns, claims)],
    'claim_direct_messages',
  )
  return new Set(rows.map((row) => row.id))
}

export async function postponeDirectMessage(
  tx: Executor,
  tenant: Tenant,
  message: { id: string; at: Date },
): Promise<void> {
  await tx.execute(
    `update message_heads set attempt_at = $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, message.id, message.at],
    'postpone_direct_message',
  )
}

/** Fails a message that waits and has no claim in flight. */
export async function updateDirectFailed(
  db: Executor,
  tenant: Tenant,
  message: { id: string; failure: object },
): Promise<void> {
  await db.execute(
    `update message_heads set status = 'failed', failure = $4, attempt_at = null
     where account_id = $1 and environment = $2 and id = $3 and status = 'queued'`,
    [tenant.accountId, tenant.environment, message.id, JSON.stringify(message.failure)],
    'update_direct_failed',
  )
}

/** Removes refused recipients from a waiting message. `refused` lists all of them, including earlier ones. */
export async function updateRecipients(
  tx: Executor,
  tenant: Tenant,
  message: { id: string; envelope: Envelope; refused: readonly RefusedRecipient[] },
): Promise<void> {
  const { to, cc, bcc } = message.envelope
  await tx.execute(
    `update message_heads set to_addresses = $4, cc_addresses = $5, bcc_addresses = $6, failure = $7
     where account_id = $1 and environment = $2 and id = $3 and status = 'queued'`,
    [
      tenant.accountId,
      tenant.environment,
      message.id,
      JSON.stringify(to),
      JSON.stringify(cc),
      JSON.stringify(bcc),
      JSON.stringify({ refusedRecipients: message.refused }),
    ],
    'update_recipients',
  )
}

interface DirectCount {
  sendingAccountId: string
  kind: DirectKind
  recipients: number
}

/** Counts the recipients of people's messages and notices that were claimed for sending since the start of a sender's day. */
export async function countDirectToday(
  tx: Executor,
  tenant: Tenant,
  senders: readonly { id: string; since: Date }[],
): Promise<DirectCount[]> {
  if (senders.length === 0) return []
  return tx.query<DirectCount>(
    `select m.sending_account_id, m.kind, sum(jsonb_array_length(coalesce(m.to_addresses, '[]'))
       + jsonb_array_length(coalesce(m.cc_addresses, '[]')) + jsonb_array_length(coalesce(m.bcc_addresses, '[]')))::int as recipients
     from unnest($3::text[], $4::timestamptz[]) s (id, since)
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.sending_account_id = s.id
       and m.claimed_at >= s.since
     where m.status not in ('queued', 'failed')
       or exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
     group by m.sending_account_id, m.kind`,
    [tenant.accountId, tenant.environment, senders.map(({ id }) => id), senders.map(({ since }) => since)],
    'count_direct_today',
  )
}

export async function findNextDirect(tx: Executor, tenant: Tenant): Promise<Date | null> {
  const rows = await tx.query<{ at: Date | null }>(
    `select min(m.attempt_at) as at from message_heads m
     where m.account_id = $1 and m.environment = $2 and m.attempt_at is not null and m.status = 'queued'
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)`,
    [tenant.accountId, tenant.environment],
    'find_next_direct',
  )
  return rows[0]?.at ?? null
}
