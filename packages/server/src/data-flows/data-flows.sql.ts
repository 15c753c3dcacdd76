import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { AccountReceivers, HostCount } from './data-flows.ts'

const hostsMax = 200

/** Counts messages by the servers of the sending accounts. An account without a server sends through its provider's. */
export async function listMailHosts(
  db: Executor,
  tenant: Tenant,
  { since, providerHosts }: { since: Date; providerHosts: Readonly<Record<'google' | 'microsoft', string>> },
): Promise<HostCount[]> {
  return db.query<HostCount>(
    `select h.host, coalesce(sum(h.claimed), 0)::int as calls from (
       select coalesce(s.smtp->>'host', case when s.provider = 'google' then $4 when s.provider = 'microsoft' then $5 end) as host,
         (select sum(d.claimed) from sender_days d where d.account_id = $1 and d.environment = $2 and d.sending_account_id = s.id
           and d.day >= $3::timestamptz::date) as claimed
       from sending_accounts s where s.account_id = $1 and s.environment = $2 and s.provider <> 'sandbox') h
     where h.host is not null group by h.host order by calls desc, h.host limit $6`,
    [tenant.accountId, tenant.environment, since, providerHosts.google, providerHosts.microsoft, hostsMax],
  )
}

export async function listWebhookHosts(db: Executor, tenant: Tenant, since: Date): Promise<HostCount[]> {
  return db.query<HostCount>(
    `select substring(w.url from '^[a-z]+://([^/?#]+)') as host, coalesce(sum(d.count), 0)::int as calls from webhooks w
     left join lateral (select count(*) as count from webhook_deliveries d
       where d.account_id = $1 and d.environment = $2 and d.webhook_id = w.id and d.created_at >= $3 and d.attempts > 0) d on true
     where w.account_id = $1 and w.environment = $2
     group by 1 order by calls desc, host limit $4`,
    [tenant.accountId, tenant.environment, since, hostsMax],
  )
}

type Counts = Omit<AccountReceivers, 'mailServers' | 'webhooks'>

/** Counts the calls to services that the operator configured, and reads which services the account uses. */
export async function findServiceCalls(db: Executor, tenant: Tenant, since: Date): Promise<Counts> {
  const rows = await db.query<Counts>(
    `select
       (select count(*)::int from generations where account_id = $1 and environment = $2 and created_at >= $3) as generations,
       (select count(*)::int from finder_reveals where account_id = $1 and environment = $2 and revealed_at >= $3) as reveals,
       (select count(*)::int from verification_addresses where account_id = $1 and environment = $2 and checked_at >= $3
         and source in ('zerobounce', 'neverbounce', 'bouncer')) as verifications,
       exists (select 1 from meeting_availability where account_id = $1 and environment = $2
         and (busy_read_at is not null or busy_error is not null)) as reads_calendar,
       array(select distinct provider from sending_accounts where account_id = $1 and environment = $2
         and provider in ('google', 'microsoft') order by provider) as logins`,
    [tenant.accountId, tenant.environment, since],
  )
  return rows[0] ?? { generations: 0, reveals: 0, verifications: 0, readsCalendar: false, logins: [] }
}
