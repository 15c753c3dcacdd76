import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { TenantConnection } from '@overture/contract/sending-accounts/tenant-connections.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { budgetPrefixes } from '../budgets/recipient-budget.ts'

export interface TenantConnectionRow {
  id: string
  provider: OAuthProvider
  access: TenantConnection['access']
  organization: string
  domain: string | null
  clientId: string
  adminEmail: string | null
  /** The number of sending accounts that log in through the connection. */
  sendingAccounts: number
  dailyExternalRecipients: number | null
  /** The sending accounts of an organization at Microsoft, each with a licence. */
  licences: number
  createdAt: Date
  updatedAt: Date
}

const columns = `c.id, c.provider, c.access, c.organization, c.domain, c.client_id, c.admin_email, c.created_at, c.updated_at,
  (select count(*)::int from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and s.tenant_connection_id = c.id) as sending_accounts,
  (select b.daily_external_recipients from recipient_budgets b
     where b.account_id = $1 and b.environment = $2
       and b.id = '${budgetPrefixes.organization}' || c.organization) as daily_external_recipients,
  (select count(*)::int from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and c.provider = 'microsoft'
       and (s.tenant_connection_id = c.id or s.organization = c.organization)) as licences`

/** Stores a consent, or renews the one that the organization gave before. */
export async function upsertConsent(
  tx: Executor,
  tenant: Tenant,
  consent: { id: string; organization: string; domain: string; now: Date },
): Promise<void> {
  await tx.execute(
    `insert into tenant_connections (account_id, environment, id, provider, access, organization, domain, created_at, updated_at)
     values ($1, $2, $3, 'microsoft', 'consent', $4, $5, $6, $6)
     on conflict (account_id, environment, provider, access, organization, client_id)
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
    `select ${columns} from tenant_connections c where c.account_id = $1 and c.environment = $2 and c.id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_tenant_connection',
  )
  return rows[0] ?? null
}

type LockedConnection = Pick<TenantConnectionRow, 'provider' | 'access' | 'organization'>

/** Locks a connection until the transaction ends, so that it can't be changed or deleted. */
export async function lockTenantConnection(tx: Executor, tenant: Tenant, id: string): Promise<LockedConnection | null> {
  const rows = await tx.query<LockedConnection>(
    `select provider, access, organization from tenant_connections
     where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_tenant_connection',
  )
  return rows[0] ?? null
}

/** The sealed login of a connection; null if there is no such connection, or if it is a consent. */
export async function findConnectionSecrets(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<{ secrets: Buffer; version: number } | null> {
  const rows = await db.query<{ secrets: Buffer; version: number }>(
    `select secrets, version from tenant_connections
     where account_id = $1 and environment = $2 and id = $3 and secrets is not null`,
    [tenant.accountId, tenant.environment, id],
    'find_connection_secrets',
  )
  return rows[0] ?? null
}

interface ApplicationRow {
  id: string
  provider: OAuthProvider
  organization: string
  domain: string | null
  clientId: string
  adminEmail: string | null
  now: Date
}

/** Stores a connection without its login, or finds the one of the same application. Returns its id. */
export async function upsertApplication(tx: Executor, tenant: Tenant, row: ApplicationRow): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `insert into tenant_connections (account_id, environment, id, provider, access, organization, domain, client_id, admin_email,
       created_at, updated_at)
     values ($1, $2, $3, $4, 'application', $5, $6, $7, $8, $9, $9)
     on conflict (account_id, environment, provider, access, organization, client_id)
     do update set domain = coalesce(excluded.domain, tenant_connections.domain), admin_email = excluded.admin_email,
       updated_at = excluded.updated_at
     returning id`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.provider,
      row.organization,
      row.domain,
      row.clientId,
      row.adminEmail,
      row.now,
    ],
    'upsert_tenant_application',
  )
  return rows[0]?.id ?? row.id
}

/** Stores a new login. Earlier access tokens are not used again. */
export async function updateConnectionSecrets(
  tx: Executor,
  tenant: Tenant,
  id: string,
  secrets: Buffer,
): Promise<void> {
  await tx.execute(
    `update tenant_connections set secrets = $4, version = version + 1
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, secrets],
    'update_connection_secrets',
  )
}

/** Makes each node request new access tokens, because an administrator may have allowed more. */
export async function updateTenantConnectionVersion(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute(
    'update tenant_connections set version = version + 1 where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'update_tenant_connection_version',
  )
}

export async function countConnectionSenders(db: Executor, tenant: Tenant, id: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from sending_accounts
     where account_id = $1 and environment = $2 and tenant_connection_id = $3`,
    [tenant.accountId, tenant.environment, id],
    'count_connection_senders',
  )
  return rows[0]?.count ?? 0
}

/** Moves the sending accounts of a connection to another one and returns their ids. SMTP connections with the old login are closed. */
export async function replaceConnection(
  tx: Executor,
  tenant: Tenant,
  id: string,
  replacement: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update sending_accounts set tenant_connection_id = $4, connection_version = connection_version + 1
     where account_id = $1 and environment = $2 and tenant_connection_id = $3 returning id`,
    [tenant.accountId, tenant.environment, id, replacement],
    'replace_tenant_connection',
  )
  return rows.map((row) => row.id)
}

/** Makes the worker log in again to the accounts of a connection whose login was refused. */
export async function updateRefusedSendersDue(tx: Executor, tenant: Tenant, id: string, now: Date): Promise<void> {
  await tx.execute(
    `update sending_accounts set status = 'connection_error', status_reason = 'connection_failed', retry_at = $4, retry_count = 0,
       updated_at = $4
     where account_id = $1 and environment = $2 and tenant_connection_id = $3 and status = 'auth_required'`,
    [tenant.accountId, tenant.environment, id, now],
    'update_refused_senders_due',
  )
}

/** Lists connections newest first. */
export async function listTenantConnections(
  db: Executor,
  tenant: Tenant,
  range: RowRange<string>,
): Promise<TenantConnectionRow[]> {
  return db.query<TenantConnectionRow>(
    `select ${columns} from tenant_connections c
     where c.account_id = $1 and c.environment = $2 and ($3::text is null or c.id < $3)
     order by c.id desc limit $4 offset $5`,
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
