import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { TenantConnection } from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface TenantConnectionRow {
  id: string
  provider: OAuthProvider
  access: TenantConnection['access']
  organization: string
  domain: string | null
  createdAt: Date
  updatedAt: Date
}

const columns = 'id, provider, access, organization, domain, created_at, updated_at'

/** Stores a consent, or renews the one that the organization gave before. */
export async function upsertConsent(
  tx: Executor,
  tenant: Tenant,
  consent: { id: string; organization: string; domain: string; now: Date },
): Promise<void> {
  await tx.execute(
    `insert into tenant_connections (account_id, environment, id, provider, access, organization, domain, created_at, updated_at)
     values ($1, $2, $3, 'microsoft', 'consent', $4, $5, $6, $6)
     on conflict (account_id, environment, provider, access, organization)
     do update set domain = excluded.domain, updated_at = excluded.updated_at`,
    [tenant.accountId, tenant.environment, consent.id, consent.organization, consent.domain, consent.now],
    'upsert_tenant_consent',
  )
}

export async function findTenantConnection(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<TenantConnectionRow | null> {
  const rows = await db.query<TenantConnectionRow>(
    `select ${columns} from tenant_connections where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_tenant_connection',
  )
  return rows[0] ?? null
}

/** Newest first. */
export async function listTenantConnections(
  db: Executor,
  tenant: Tenant,
  range: RowRange<string>,
): Promise<TenantConnectionRow[]> {
  return db.query<TenantConnectionRow>(
    `select ${columns} from tenant_connections
     where account_id = $1 and environment = $2 and ($3::text is null or id < $3)
     order by id desc limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
    'list_tenant_connections',
  )
}

export async function countTenantConnections(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from tenant_connections where account_id = $1 and environment = $2',
    [tenant.accountId, tenant.environment],
    'count_tenant_connections',
  )
  return rows[0]?.count ?? 0
}

export async function deleteTenantConnection(tx: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const deleted = await tx.execute(
    'delete from tenant_connections where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_tenant_connection',
  )
  return deleted > 0
}
