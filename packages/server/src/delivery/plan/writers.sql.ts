import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Writer } from './recipients.ts'

/**
 * The people who wrote replies in each thread, the last one first. Automatic replies and opt-outs don't count. The address in
 * `From` counts with a proof: the mailbox's provider authenticated it, or the mail names our Message-ID and the address was sent a
 * message of the thread. A recipient knows our Message-ID and could write in the name of any other address.
 */
export async function listWriters(
  db: Executor,
  tenant: Tenant,
  threadIds: readonly string[],
): Promise<Map<string, Writer[]>> {
  const writers = new Map<string, Writer[]>()
  if (threadIds.length === 0) return writers
  const rows = await db.query<Writer & { threadId: string }>(
    `select thread_id, email, at from (
       select distinct on (m.thread_id, lower(m.from_address->>'email')) m.thread_id, m.from_address->>'email' as email,
         m.received_at as at, m.id
       from message_heads m
       where m.account_id = $1 and m.environment = $2 and m.thread_id = any($3) and m.direction = 'inbound' and m.kind = 'reply'
         and m.from_address is not null and m.received_at is not null
         and (m.classification->>'proof' = 'authentication' or m.classification->>'proof' = 'message_id' and exists (
           select 1 from message_heads o
           cross join lateral jsonb_array_elements(coalesce(o.to_addresses, '[]') || coalesce(o.cc_addresses, '[]')
             || coalesce(o.bcc_addresses, '[]')) a
           where o.account_id = $1 and o.environment = $2 and o.thread_id = m.thread_id and o.direction = 'outbound'
             and o.status in ('sent', 'bounced', 'returned', 'uncertain')
             and lower(a->>'email') = lower(m.from_address->>'email')))
       order by m.thread_id, lower(m.from_address->>'email'), m.received_at desc, m.id desc) w
     order by thread_id, at desc, id desc`,
    [tenant.accountId, tenant.environment, threadIds],
    'list_writers',
  )
  for (const { threadId, ...writer } of rows) writers.set(threadId, [...(writers.get(threadId) ?? []), writer])
  return writers
}

/** The conversations with each lead, by its id. */
export async function listThreadsOfLeads(
  db: Executor,
  tenant: Tenant,
  leads: readonly { campaignId: string | null; leadId: string | null }[],
): Promise<Map<string, string[]>> {
  const threads = new Map<string, string[]>()
  const known = leads.filter(({ campaignId, leadId }) => campaignId !== null && leadId !== null)
  if (known.length === 0) return threads
  const rows = await db.query<{ leadId: string; id: string }>(
    `select distinct t.lead_id, t.id from unnest($3::text[], $4::text[]) l (campaign_id, lead_id)
     join threads t on t.account_id = $1 and t.environment = $2 and t.campaign_id = l.campaign_id and t.lead_id = l.lead_id`,
    [
      tenant.accountId,
      tenant.environment,
      known.map(({ campaignId }) => campaignId),
      known.map(({ leadId }) => leadId),
    ],
    'list_threads_of_leads',
  )
  for (const { leadId, id } of rows) threads.set(leadId, [...(threads.get(leadId) ?? []), id])
  return threads
}

/** The addresses of the account itself, of those given: its sending accounts and its users. */
export async function listOwnAddresses(db: Executor, tenant: Tenant, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const rows = await db.query<{ email: string }>(
    `select lower(s.email) as email from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and lower(s.email) = any($3)
     union
     select lower(u.email) from users u where u.account_id = $1 and u.status = 'active' and lower(u.email) = any($3)`,
    [tenant.accountId, tenant.environment, emails],
    'list_own_addresses',
  )
  return rows.map(({ email }) => email)
}
