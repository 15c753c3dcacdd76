import type { AddressVerification, VerificationResult } from '@overture/contract/verification/verification.ts'
import { openList } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface VerificationRow extends Omit<AddressVerification, 'createdAt' | 'completedAt'> {
  listedAfter: string | null
  createdAt: Date
  completedAt: Date | null
}

const columns = `id, status, campaign_id, listed_after, total, deliverable, risky, undeliverable, unknown, credits_charged,
  created_at, completed_at`

export async function insertVerification(
  tx: Executor,
  tenant: Tenant,
  row: { id: string; campaignId: string | null; listedAfter: string | null; total: number; now: Date },
): Promise<VerificationRow> {
  const rows = await tx.query<VerificationRow>(
    `insert into verifications (account_id, environment, id, status, campaign_id, listed_after, total, created_at)
     values ($1, $2, $3, 'running', $4, $5, $6, $7) returning ${columns}`,
    [tenant.accountId, tenant.environment, row.id, row.campaignId, row.listedAfter, row.total, row.now],
    'insert_verification',
  )
  return rows[0]!
}

export async function findVerification(db: Executor, tenant: Tenant, id: string): Promise<VerificationRow | null> {
  const rows = await db.query<VerificationRow>(
    `select ${columns} from verifications where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_verification',
  )
  return rows[0] ?? null
}

export async function lockVerification(tx: Executor, tenant: Tenant, id: string): Promise<VerificationRow | null> {
  const rows = await tx.query<VerificationRow>(
    `select ${columns} from verifications where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_verification',
  )
  return rows[0] ?? null
}

export async function campaignExists(db: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await db.query(
    `select from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenant.accountId, tenant.environment, id],
    'campaign_to_verify_exists',
  )
  return rows.length > 0
}

/** Lists leads of a campaign that can still get a message, by id. */
export async function listLeadsToVerify(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; after: string; limit: number },
): Promise<{ id: string; email: string }[]> {
  return db.query(
    `select l.id, l.email from lead_profiles l
     join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = l.id
       and p.status in ${openList}
     where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id > $4 order by l.id limit $5`,
    [tenant.accountId, tenant.environment, of.campaignId, of.after, of.limit],
    'list_leads_to_verify',
  )
}

export async function updateListed(
  tx: Executor,
  tenant: Tenant,
  { id, listedAfter, added }: { id: string; listedAfter: string | null; added: number },
): Promise<void> {
  await tx.execute(
    `update verifications set listed_after = $4, total = total + $5
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, listedAfter, added],
    'update_verification_listed',
  )
}

/** Adds results to the counts of a verification. */
export async function updateCounts(
  tx: Executor,
  tenant: Tenant,
  { id, counts, credits }: { id: string; counts: Readonly<Record<VerificationResult, number>>; credits: number },
): Promise<void> {
  await tx.execute(
    `update verifications set deliverable = deliverable + $4, risky = risky + $5, undeliverable = undeliverable + $6,
       unknown = unknown + $7, credits_charged = credits_charged + $8
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      id,
      counts.deliverable,
      counts.risky,
      counts.undeliverable,
      counts.unknown,
      credits,
    ],
    'update_verification_counts',
  )
}

/** Completes a running verification. Returns null if it is completed already or gone. */
export async function completeVerification(
  tx: Executor,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<VerificationRow | null> {
  const rows = await tx.query<VerificationRow>(
    `update verifications set status = 'completed', completed_at = $4
     where account_id = $1 and environment = $2 and id = $3 and status = 'running' returning ${columns}`,
    [tenant.accountId, tenant.environment, id, now],
    'complete_verification',
  )
  return rows[0] ?? null
}
