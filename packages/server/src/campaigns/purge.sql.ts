import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

interface RemainingMessage {
  id: string
  /** Where it left, or may have left: its Message-ID and to whom. */
  rfcMessageId: string | null
  email: string | null
}

/** A bounded batch of a deleted campaign's messages, held until they are deleted. */
export async function lockCampaignMessages(
  tx: Executor,
  tenant: Tenant,
  id: string,
  limit: number,
): Promise<RemainingMessage[]> {
  return tx.query<RemainingMessage>(
    `select m.id, m.rfc_message_id, case
         when m.direction = 'outbound' and (m.status in ('sent', 'bounced', 'uncertain') or c.gated_at is not null)
         then coalesce(l.email, m.to_addresses->0->>'email') end as email
     from message_heads m
     left join claims c on c.account_id = $1 and c.environment = $2 and c.message_id = m.id
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3 limit $4 for update of m`,
    [tenant.accountId, tenant.environment, id, limit],
    'lock_campaign_messages',
  )
}

export async function deleteMessages(tx: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await tx.execute(
    `with ended as (delete from claims where account_id = $1 and environment = $2 and message_id = any($3)),
     emptied as (delete from message_contents where account_id = $1 and environment = $2 and message_id = any($3))
     delete from message_heads where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'delete_messages',
  )
}

/** With what names a row of a campaign, or of a tenant. */
const purgeOrder = [
  ['claims', 'message_id'],
  ['threads', 'id'],
  ['decisions', 'lead_id, step_id'],
  ['lead_progress', 'lead_id'],
  ['lead_profiles', 'id'],
  ['step_drafts', 'id'],
  ['campaign_days', 'day'],
  ['campaign_domain_days', 'day, domain'],
  ['import_rows', 'import_id, row_number'],
  ['imports', 'id'],
] as const

/** Takes out a bounded batch of what belonged to a deleted campaign, its messages apart; 0 when nothing is left. */
export async function deleteCampaignRemains(db: Executor, tenant: Tenant, id: string, limit: number): Promise<number> {
  for (const [table, key] of purgeOrder) {
    const where =
      table === 'import_rows'
        ? `import_id in (select i.id from imports i where i.account_id = $1 and i.environment = $2 and i.campaign_id = $3)`
        : `campaign_id = $3`
    const gone = await db.execute(
      `delete from ${table} where account_id = $1 and environment = $2 and ${where} and (${key}) in (
         select ${key} from ${table} where account_id = $1 and environment = $2 and ${where} limit $4)`,
      [tenant.accountId, tenant.environment, id, limit],
    )
    if (gone > 0) return gone
  }
  return db.execute(
    `delete from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is not null`,
    [tenant.accountId, tenant.environment, id],
  )
}
