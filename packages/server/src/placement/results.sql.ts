import type { PlacementResult } from '@overture/contract/placement/placement-tests.ts'
import { columnList, listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { DecidedResult, PendingResult } from './decisions.ts'
import type { PlacementMessage } from '../delivery/index.ts'

const pendingColumns: readonly ListColumn<PlacementMessage>[] = [
  ['id', 'text', (message) => message.id],
  ['test_id', 'text', (message) => message.placementTestId],
  ['sender_id', 'text', (message) => message.sendingAccountId],
  ['sender', 'text', ({ from }) => from.email],
  ['seed_id', 'text', (message) => message.seedMailboxId],
  ['recipient', 'text', ({ to }) => to.email],
  ['ref', 'text', (message) => message.ref],
]

export async function insertResults(
  tx: Executor,
  tenant: Tenant,
  messages: readonly PlacementMessage[],
): Promise<void> {
  await tx.execute(
    `insert into placement_results (account_id, environment, id, placement_test_id, sending_account_id, from_email, seed_mailbox_id,
       to_email, ref, placement)
     select a.account_id, $2, t.id, t.test_id, t.sender_id, t.sender, t.seed_id, t.recipient, t.ref, 'pending'
     from accounts a, ${listedRows(pendingColumns, 3)} where a.account_id = $1 returning 1`,
    [tenant.accountId, tenant.environment, ...rowLists(pendingColumns, messages)],
    'insert_placement_results',
  )
}

export interface ResultRow extends Omit<PlacementResult, 'sentAt'> {
  sentAt: Date | null
}

export async function listResults(
  db: Executor,
  tenant: Tenant,
  placementTestId: string,
  range: RowRange<string>,
): Promise<ResultRow[]> {
  return db.query<ResultRow>(
    `select r.id, r.sending_account_id, r.from_email as "from", r.seed_mailbox_id, r.to_email as "to", r.placement, r.problem, r.folder,
       r.spf, r.dkim, r.dmarc, r.opt_out_signed, r.received_message_id, coalesce(r.sent_at, m.sent_at) as sent_at, r.seconds
     from placement_results r
     left join message_heads m on m.account_id = $1 and m.environment = $2 and m.id = r.id
     where r.account_id = $1 and r.environment = $2 and r.placement_test_id = $3 and ($4::text is null or r.id > $4)
     order by r.id limit $5 offset $6`,
    [tenant.accountId, tenant.environment, placementTestId, range.after, range.limit, range.offset],
    'list_placement_results',
  )
}

export async function countResults(db: Executor, tenant: Tenant, placementTestId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from placement_results
     where account_id = $1 and environment = $2 and placement_test_id = $3`,
    [tenant.accountId, tenant.environment, placementTestId],
    'count_placement_results',
  )
  return rows[0]?.count ?? 0
}

export async function listPending(db: Executor, tenant: Tenant, placementTestId: string): Promise<PendingResult[]> {
  return db.query<PendingResult>(
    `select r.id, r.seed_mailbox_id, r.to_email as "to", r.ref, m.status, m.sent_at from placement_results r
     left join message_heads m on m.account_id = $1 and m.environment = $2 and m.id = r.id
     where r.account_id = $1 and r.environment = $2 and r.placement_test_id = $3 and r.placement = 'pending' order by r.id`,
    [tenant.accountId, tenant.environment, placementTestId],
    'list_pending_placements',
  )
}

const decidedColumns: readonly ListColumn<DecidedResult>[] = [
  ['id', 'text', (result) => result.id],
  ['placement', 'text', (result) => result.placement],
  ['problem', 'text', (result) => result.problem],
  ['folder', 'text', (result) => result.folder],
  ['spf', 'text', (result) => result.spf],
  ['dkim', 'text', (result) => result.dkim],
  ['dmarc', 'text', (result) => result.dmarc],
  ['signed', 'boolean', (result) => result.optOutSigned],
  ['message_id', 'text', (result) => result.receivedMessageId],
  ['sent_at', 'timestamptz', (result) => result.sentAt],
  ['seconds', 'int', (result) => result.seconds],
]

export async function updateDecided(
  tx: Executor,
  tenant: Tenant,
  { results, now }: { results: readonly DecidedResult[]; now: Date },
): Promise<void> {
  if (results.length === 0) return
  await tx.execute(
    `update placement_results r set placement = t.placement, problem = t.problem, folder = t.folder, spf = t.spf, dkim = t.dkim,
       dmarc = t.dmarc, opt_out_signed = t.signed, received_message_id = t.message_id, sent_at = t.sent_at, seconds = t.seconds,
       decided_at = $3
     from ${listedRows(decidedColumns, 4)}
     where r.account_id = $1 and r.environment = $2 and r.id = any(${columnList(decidedColumns, 4, 'id')}) and r.id = t.id
       and r.placement = 'pending'`,
    [tenant.accountId, tenant.environment, now, ...rowLists(decidedColumns, results)],
    'update_decided_placements',
  )
}
