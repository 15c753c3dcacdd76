import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Locks claims of a deleted campaign that have not passed their gate. */
export async function listUnsentClaims(
  tx: Executor,
  tenant: Tenant,
  campaignId: string,
  limit: number,
): Promise<{ campaignId: string; leadId: string }[]> {
  return tx.query(
    `select campaign_id, lead_id from claims where account_id = $1 and environment = $2 and campaign_id = $3 and kind = 'campaign'
       and step_id is not null and lead_id is not null and gated_at is null limit $4 for update`,
    [tenant.accountId, tenant.environment, campaignId, limit],
    'list_unsent_claims',
  )
}

interface RemainingMessage {
  id: string
  /** The message's `Message-ID`s. `email` is its recipient if it was sent or may have been sent, else null. */
  rfcMessageId: string | null
  deliveredMessageId: string | null
  email: string | null
}

/** Locks a batch of a deleted campaign's messages, which the caller deletes. */
export async function lockCampaignMessages(
  tx: Executor,
  tenant: Tenant,
  id: string,
  limit: number,
): Promise<RemainingMessage[]> {
  return tx.query<RemainingMessage>(
    `select m.id, m.rfc_message_id, m.delivered_message_id, case
         when m.direction = 'outbound' and (m.status in ('sent', 'bounced', 'returned', 'uncertain') or c.gated_at is not null)
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

/** Tables whose primary key begins with the campaign, with the key columns after it. A batch is the first range of that index. */
const inOrder: Readonly<Record<string, readonly string[]>> = {
  decisions: ['lead_id', 'step_id'],
  lead_progress: ['lead_id'],
  lead_profiles: ['id'],
  campaign_days: ['day'],
  campaign_domain_days: ['day', 'domain'],
}
/** The columns that identify a row within a tenant, so that each row is found by its primary key. */
const byName: Readonly<Record<string, string>> = {
  claims: 'message_id',
  threads: 'id',
  step_drafts: 'id',
  tasks: 'id',
  import_rows: 'import_id, row_number',
  imports: 'id',
}
const purgeOrder = [
  'claims',
  'threads',
  'decisions',
  'lead_progress',
  'lead_profiles',
  'step_drafts',
  'tasks',
  'campaign_days',
  'campaign_domain_days',
  'import_rows',
  'imports',
] as const

// Right after an import there are no statistics about the campaign. With a join PostgreSQL would take the campaign for empty
// and compare every row with every other. A range with both ends is estimated as a small part of its table.
function purgeText(table: (typeof purgeOrder)[number]): string {
  const keys = inOrder[table]
  const ofTenant = `from ${table} where account_id = $1 and environment = $2`
  if (keys !== undefined) {
    const key = keys.join(', ')
    return `delete ${ofTenant} and campaign_id = $3
       and ${keys[0]} >= (select ${keys[0]} ${ofTenant} and campaign_id = $3 order by ${key} limit 1)
       and (${key}) <= (select ${key} from (select ${key} ${ofTenant} and campaign_id = $3 order by ${key} limit $4) first
       order by ${keys.map((one) => `${one} desc`).join(', ')} limit 1)`
  }
  const ofCampaign =
    table === 'import_rows'
      ? `import_id in (select i.id from imports i where i.account_id = $1 and i.environment = $2 and i.campaign_id = $3)`
      : `campaign_id = $3`
  return `delete ${ofTenant} and (${byName[table]}) in (select ${byName[table]} ${ofTenant} and ${ofCampaign} limit $4)`
}

/** Deletes a batch of a deleted campaign's rows, except messages. Returns 0 when nothing is left. */
export async function deleteCampaignRemains(db: Executor, tenant: Tenant, id: string, limit: number): Promise<number> {
  for (const table of purgeOrder) {
    const gone = await db.execute(purgeText(table), [tenant.accountId, tenant.environment, id, limit])
    if (gone > 0) return gone
  }
  return db.execute(
    `delete from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is not null`,
    [tenant.accountId, tenant.environment, id],
  )
}
