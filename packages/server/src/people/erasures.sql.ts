import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ErasureRow, RemovedRows } from './erasure-proof.ts'

const columns = 'id, at, completed_at, actor_type, actor_id, actor_name, subject_hash, removed, kept, seal'
const ours = 'account_id = $1 and environment = $2'

export async function insertErasure(
  tx: Executor,
  tenant: Tenant,
  row: Omit<ErasureRow, 'completedAt' | 'seal'>,
): Promise<void> {
  await tx.execute(
    `insert into erasures (account_id, environment, id, at, actor_type, actor_id, actor_name, subject_hash, removed, kept)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.at,
      row.actorType,
      row.actorId,
      row.actorName,
      row.subjectHash,
      JSON.stringify(row.removed),
      JSON.stringify(row.kept),
    ],
  )
}

/** Locks the erasure until the end of the transaction. */
export async function lockErasure(tx: Executor, tenant: Tenant, id: string): Promise<ErasureRow | null> {
  const rows = await tx.query<ErasureRow>(`select ${columns} from erasures where ${ours} and id = $3 for update`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
  return rows[0] ?? null
}

export async function updateRemoved(
  tx: Executor,
  tenant: Tenant,
  { id, removed }: { id: string; removed: RemovedRows },
): Promise<void> {
  await tx.execute(`update erasures set removed = $4 where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
    JSON.stringify(removed),
  ])
}

export async function updateSealed(
  tx: Executor,
  tenant: Tenant,
  { id, completedAt, seal }: { id: string; completedAt: Date; seal: string },
): Promise<void> {
  await tx.execute(`update erasures set completed_at = $4, seal = $5 where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
    completedAt,
    seal,
  ])
}

export async function findErasure(db: Executor, tenant: Tenant, id: string): Promise<ErasureRow | null> {
  const rows = await db.query<ErasureRow>(`select ${columns} from erasures where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
  return rows[0] ?? null
}

/** Newest first. */
export async function listErasures(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<ErasureRow[]> {
  return db.query<ErasureRow>(
    `select ${columns} from erasures where ${ours} and ($3::text is null or id < $3) order by id desc limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
  )
}

export async function countErasures(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from erasures where ${ours}`, [
    tenant.accountId,
    tenant.environment,
  ])
  return rows[0]?.count ?? 0
}
