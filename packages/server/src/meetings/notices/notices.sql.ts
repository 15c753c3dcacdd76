import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { NoticeKind } from './notices.ts'

const ours = 'account_id = $1 and environment = $2'

/** Records a notice and returns how many of the addresses had not had it before. */
export async function insertNotices(
  tx: Executor,
  tenant: Tenant,
  notice: { key: string; kind: NoticeKind; hashes: readonly Buffer[]; now: Date },
): Promise<number> {
  return tx.execute(
    `insert into meeting_notices (account_id, environment, key, kind, address_hash, queued_at)
     select a.account_id, $2, $3, $4, h.hash, $6 from accounts a, unnest($5::bytea[]) h (hash) where a.account_id = $1
     on conflict do nothing`,
    [tenant.accountId, tenant.environment, notice.key, notice.kind, notice.hashes, notice.now],
  )
}

/** Deletes a bounded number of notices from before a moment. */
export async function deleteNoticesBefore(
  tx: Executor,
  tenant: Tenant,
  of: { before: Date; limit: number },
): Promise<void> {
  await tx.execute(
    `delete from meeting_notices where ${ours} and (key, address_hash) in (
       select key, address_hash from meeting_notices where ${ours} and queued_at < $3 limit $4)`,
    [tenant.accountId, tenant.environment, of.before, of.limit],
  )
}

/** The largest number of notices that one of these addresses got. */
export async function countNotices(
  db: Executor,
  tenant: Tenant,
  of: { hashes: readonly Buffer[]; since: Date },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select coalesce(max(n.count), 0)::int as count from (
       select count(*) as count from meeting_notices where ${ours} and address_hash = any($3) and queued_at > $4
       group by address_hash) n`,
    [tenant.accountId, tenant.environment, of.hashes, of.since],
  )
  return rows[0]?.count ?? 0
}

/** The number of confirmations sent to an address, and sent by the page in total. */
export async function countConfirmations(
  db: Executor,
  tenant: Tenant,
  of: { hash: Buffer; addressSince: Date; pageSince: Date },
): Promise<{ ofAddress: number; ofPage: number }> {
  const rows = await db.query<{ ofAddress: number; ofPage: number }>(
    `select count(*) filter (where address_hash = $3 and queued_at > $4)::int as of_address,
       count(*) filter (where queued_at > $5)::int as of_page
     from meeting_notices where ${ours} and kind = 'confirmation' and queued_at > least($4::timestamptz, $5::timestamptz)`,
    [tenant.accountId, tenant.environment, of.hash, of.addressSince, of.pageSince],
  )
  return rows[0] ?? { ofAddress: 0, ofPage: 0 }
}
