import type { SeedStatus } from '@overture/contract/placement/seed-mailboxes.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { SeedRow, SeedServer } from './seed-mailbox.ts'

const columns = 'id, email, imap, status, last_error, checked_at, created_at, updated_at'

/** Returns false if the environment has a mailbox with this address. */
export async function insertSeed(
  tx: Executor,
  tenant: Tenant,
  seed: { id: string; email: string; imap: SeedServer | null; secrets: Buffer | null; now: Date },
): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into seed_mailboxes (account_id, environment, id, email, imap, secrets, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8) on conflict do nothing`,
    [
      tenant.accountId,
      tenant.environment,
      seed.id,
      seed.email,
      seed.imap && JSON.stringify(seed.imap),
      seed.secrets,
      seed.imap === null ? 'working' : 'unverified',
      seed.now,
    ],
    'insert_seed_mailbox',
  )
  return inserted === 1
}

/** Stores changed settings. Null keeps the stored password. */
export async function updateSeed(
  tx: Executor,
  tenant: Tenant,
  seed: { id: string; email: string; imap: SeedServer | null; secrets: Buffer | null; now: Date },
): Promise<void> {
  await tx.execute(
    `update seed_mailboxes set email = $4, imap = $5, secrets = coalesce($6, secrets), updated_at = $7,
       status = case when $6::bytea is null then status else 'unverified' end
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      seed.id,
      seed.email,
      seed.imap && JSON.stringify(seed.imap),
      seed.secrets,
      seed.now,
    ],
    'update_seed_mailbox',
  )
}

/** Records whether a mailbox could be read. */
export async function updateSeedChecked(
  db: Executor,
  tenant: Tenant,
  seed: { id: string; status: SeedStatus; lastError: string | null; now: Date },
): Promise<void> {
  await db.execute(
    `update seed_mailboxes set status = $4, last_error = $5, checked_at = $6
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, seed.id, seed.status, seed.lastError, seed.now],
    'update_seed_checked',
  )
}

export async function countSeeds(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from seed_mailboxes where account_id = $1 and environment = $2',
    [tenant.accountId, tenant.environment],
    'count_seed_mailboxes',
  )
  return rows[0]?.count ?? 0
}

export async function listSeeds(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<SeedRow[]> {
  return db.query<SeedRow>(
    `select ${columns} from seed_mailboxes
     where account_id = $1 and environment = $2 and ($3::text is null or id < $3) order by id desc limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
    'list_seed_mailboxes',
  )
}

export async function listSeedsById(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<(SeedRow & { secrets: Buffer | null })[]> {
  return db.query(
    `select ${columns}, secrets from seed_mailboxes where account_id = $1 and environment = $2 and id = any($3) order by id`,
    [tenant.accountId, tenant.environment, ids],
    'list_seed_mailboxes_by_id',
  )
}

export async function deleteSeed(tx: Executor, tenant: Tenant, id: string): Promise<number> {
  return tx.execute(
    'delete from seed_mailboxes where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_seed_mailbox',
  )
}
