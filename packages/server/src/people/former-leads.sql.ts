import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** All that is kept of a lead that was deleted with its campaign. */
interface FormerLead {
  id: string
  addressHash: Buffer
  personId: string | null
}

export async function insertFormerLeads(db: Executor, tenant: Tenant, leads: readonly FormerLead[]): Promise<void> {
  await db.execute(
    `insert into former_leads (account_id, environment, address_hash, lead_id, person_id)
     select a.account_id, $2, l.* from accounts a, unnest($3::bytea[], $4::text[], $5::text[]) l where a.account_id = $1
     on conflict do nothing`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.addressHash),
      leads.map((lead) => lead.id),
      leads.map((lead) => lead.personId),
    ],
    'insert_former_leads',
  )
}

export async function listFormerLeads(
  db: Executor,
  tenant: Tenant,
  addressHash: Buffer,
): Promise<Pick<FormerLead, 'id' | 'personId'>[]> {
  return db.query(
    `select lead_id as id, person_id from former_leads where account_id = $1 and environment = $2 and address_hash = $3`,
    [tenant.accountId, tenant.environment, addressHash],
  )
}

export async function deleteFormerLeads(tx: Executor, tenant: Tenant, addressHash: Buffer): Promise<number> {
  return tx.execute(`delete from former_leads where account_id = $1 and environment = $2 and address_hash = $3`, [
    tenant.accountId,
    tenant.environment,
    addressHash,
  ])
}
