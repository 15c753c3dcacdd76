import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

interface HistoryRow {
  addressHash: Buffer
  repliedAt: Date | null
  bouncedAt: Date | null
}

/** Lists the last reply to a campaign and the last hard bounce of addresses that have either. */
export async function listHistory(
  db: Executor,
  tenant: Tenant,
  { hashes, repliedSince }: { hashes: readonly Buffer[]; repliedSince: Date },
): Promise<HistoryRow[]> {
  return db.query<HistoryRow>(
    `select address_hash, max(at) filter (where kind = 'reply') as replied_at, max(at) filter (where kind = 'bounce') as bounced_at
     from (
       select address_hash, at, 'reply' as kind from exchanges
       where account_id = $1 and environment = $2 and address_hash = any($3) and of_campaign and direction = 'inbound' and at > $4
       union all
       -- A bounce that ends was a full mailbox or another fault that passes.
       select address_hash, asked_at, 'bounce' from suppressions
       where account_id = $1 and environment = $2 and address_hash = any($3) and source = 'bounce' and expires_at is null) t
     group by address_hash`,
    [tenant.accountId, tenant.environment, hashes, repliedSince],
    'list_address_history',
  )
}

/** Lists addresses with a lead that ended by a hard bounce. A user may have removed the suppression since then. */
export async function listBouncedLeads(
  db: Executor,
  tenant: Tenant,
  emails: readonly string[],
): Promise<{ email: string; at: Date }[]> {
  return db.query(
    `select l.email, max(p.updated_at) as at from lead_profiles l
     join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
       and p.status = 'bounced' and p.stopped_by->>'rule' = 'hard_bounce'
     where l.account_id = $1 and l.environment = $2 and l.email = any($3) group by l.email`,
    [tenant.accountId, tenant.environment, emails],
    'list_bounced_leads',
  )
}
