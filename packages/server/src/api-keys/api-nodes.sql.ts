import type { Executor, Transaction } from '../platform/db/database.ts'

/** The id of the lock under which nodes report that they live, one at a time. */
const nodesLock = 7_310_579_604

export interface NodeStanding {
  /** Whether no other node serves requests. Windows may then be kept in memory for the length of the lease. */
  sole: boolean
  /** How long another node may still count in memory; 0 if none does. */
  othersCountMs: number
}

/** Takes the lock for nodes until the end of the transaction. Nodes belong to no account. */
export async function lockNodesAcrossAccounts(tx: Transaction): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1)', [nodesLock])
}

export async function deleteSilentNodesAcrossAccounts(tx: Transaction, leaseMs: number): Promise<void> {
  await tx.execute(`delete from api_nodes where seen_at < clock_timestamp() - $1 * interval '1 ms'`, [leaseMs])
}

/** Stores that this node lives, and returns whether it is the only one. */
export async function upsertNodeAcrossAccounts(
  tx: Transaction,
  node: { id: string; leaseMs: number; mayBeSole: boolean },
): Promise<NodeStanding> {
  const [row] = await tx.query<NodeStanding>(
    `with others as (select * from api_nodes where node_id <> $1)
     insert into api_nodes as n (node_id, seen_at, sole_until)
     select $1, clock_timestamp(),
       case when $3 and not exists (select 1 from others) then clock_timestamp() + $2 * interval '1 ms' end
     on conflict (node_id) do update set seen_at = excluded.seen_at,
       sole_until = case when exists (select 1 from others) then n.sole_until else excluded.sole_until end
     returning not exists (select 1 from others) as sole,
       coalesce((select greatest(0, max(extract(epoch from o.sole_until - clock_timestamp()) * 1000)) from others o), 0)::float8
         as others_count_ms`,
    [node.id, node.leaseMs, node.mayBeSole],
  )
  return row ?? { sole: false, othersCountMs: node.leaseMs }
}

/** Stores that this node counts in the database from now on. Its earlier counts are already stored there. */
export async function giveUpSoleAcrossAccounts(db: Executor, nodeId: string): Promise<void> {
  await db.execute('update api_nodes set sole_until = null where node_id = $1', [nodeId])
}

export async function deleteNodeAcrossAccounts(db: Executor, nodeId: string): Promise<void> {
  await db.execute('delete from api_nodes where node_id = $1', [nodeId])
}

/** Used instead of a key id for the window that counts all keys of an account. */
export const accountWindowId = ''

export interface CountedWindow {
  keyId: string
  /** Milliseconds since 1970, oldest first. */
  times: readonly number[]
}

/**
 * Stores windows that were counted in memory. A window contains the times that its row had when it was loaded; times that the
 * row got later are kept.
 */
export async function upsertWindows(db: Executor, accountId: string, windows: readonly CountedWindow[]): Promise<void> {
  await db.execute(
    `insert into rate_windows (account_id, key_id, request_log)
     select a.account_id, r ->> 'keyId', array(select t::bigint from jsonb_array_elements_text(r -> 'times') t)
     from accounts a, jsonb_array_elements($2::jsonb) r where a.account_id = $1
     on conflict (account_id, key_id) do update set request_log = excluded.request_log || array(
       select t from unnest(rate_windows.request_log) t
       where t > excluded.request_log[cardinality(excluded.request_log)] order by t)`,
    [accountId, JSON.stringify(windows)],
    'upsert_rate_windows',
  )
}

export async function findWindow(db: Executor, accountId: string, keyId: string): Promise<number[]> {
  const [row] = await db.query<{ times: number[] }>(
    'select request_log::float8[] as times from rate_windows where account_id = $1 and key_id = $2',
    [accountId, keyId],
    'find_rate_window',
  )
  return row?.times ?? []
}
