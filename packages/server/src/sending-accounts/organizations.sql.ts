import { sharedDomains } from '@overture/ground/company-domain.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/**
 * Lists the sending accounts of the same organization, this account included, in the same order for all transactions. They have the
 * same organization at the provider (at Microsoft the tenant, from the login), or addresses of the same domain. Accounts of a
 * free mailbox domain share no organization, so the list has only this account.
 */
export async function listOrganizationSenders(db: Executor, tenant: Tenant, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with accounts as (
       select s.id, s.provider, coalesce(c.organization, s.organization) as organization, split_part(lower(s.email), '@', 2) as domain
       from sending_accounts s
       left join tenant_connections c on c.account_id = $1 and c.environment = $2 and c.id = s.tenant_connection_id
       where s.account_id = $1 and s.environment = $2)
     select o.id from accounts s
     join accounts o on o.id = s.id or (o.provider = s.provider
       and (o.organization = s.organization or o.domain = s.domain and not s.domain = any($4)))
     where s.id = $3 order by o.id`,
    [tenant.accountId, tenant.environment, id, [...sharedDomains]],
    'list_organization_senders',
  )
  return rows.map((row) => row.id)
}

/** Stores the organization of a mailbox at its provider. Only the login reports it. */
export async function updateSenderOrganization(
  tx: Executor,
  tenant: Tenant,
  id: string,
  organization: string,
): Promise<void> {
  await tx.execute(
    'update sending_accounts set organization = $4 where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id, organization],
    'update_sender_organization',
  )
}
