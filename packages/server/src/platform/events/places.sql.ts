import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'

/** Who follows the log of every account, each at its own place. */
export type LogReader = 'statistics' | 'webhooks'

/** The row of event_cursors that says up to where the log was looked through. */
const lookOf = (reader: LogReader): string => `${reader} of accounts`

/** A stretch of the log of all accounts: what lies behind `from`, up to `until`. */
export interface LogStretch {
  from: FeedPosition
  until: FeedPosition
}

/** What a reader has not looked through yet, `limit` events of all accounts at most; null: nothing. */
export async function findStretchAcrossAccounts(
  db: Executor,
  reader: LogReader,
  limit: number,
): Promise<LogStretch | null> {
  const [row] = await db.query<{ fromTx: string; fromPosition: number; txId: string; position: number }>(
    `select c.tx_id::text as from_tx, c.position as from_position, n.tx_id::text as tx_id, n.position
     from event_cursors c, (
       select e.tx_id, e.position from (
         select tx_id, position from events
         where (tx_id, position) > (select l.tx_id, l.position from event_cursors l where l.name = $1)
           and tx_id < (select events_horizon())
         order by tx_id, position limit $2) e
       order by e.tx_id desc, e.position desc limit 1) n
     where c.name = $1`,
    [lookOf(reader), limit],
    'find_log_stretch',
  )
  if (row === undefined) return null
  const { fromTx, fromPosition, txId, position } = row
  return { from: { txId: fromTx, position: fromPosition }, until: { txId, position } }
}

/** Of whom events in a stretch are still to read, each with its place there: its own, or where the stretch begins. */
export async function listTenantsInStretchAcrossAccounts(
  db: Executor,
  reader: LogReader,
  { from, until }: LogStretch,
): Promise<(Tenant & { place: FeedPosition })[]> {
  const rows = await db.query<Tenant & FeedPosition>(
    `select a.account_id, n.environment, coalesce(p.tx_id, $2::xid8)::text as tx_id, coalesce(p.position, $3::bigint) as position
     from (select distinct e.account_id, e.environment from events e
       where (e.tx_id, e.position) > ($2::xid8, $3::bigint) and (e.tx_id, e.position) <= ($4::xid8, $5::bigint)) n
     join accounts a on a.account_id = n.account_id
     left join event_places p on p.account_id = n.account_id and p.environment = n.environment and p.reader = $1
       and (p.tx_id, p.position) > ($2::xid8, $3::bigint)
     where p.reader is null or (p.tx_id, p.position) < ($4::xid8, $5::bigint)`,
    [reader, from.txId, from.position, until.txId, until.position],
    'list_tenants_in_stretch',
  )
  return rows.map(({ accountId, environment, txId, position }) => ({
    accountId,
    environment,
    place: { txId, position },
  }))
}

/** The whole stretch is read, of every account. Never goes back, whoever is later. */
export async function updateLookedThroughAcrossAccounts(
  db: Executor,
  reader: LogReader,
  until: FeedPosition,
): Promise<void> {
  await db.execute(
    `update event_cursors set tx_id = $2::xid8, position = $3::bigint
     where name = $1 and (tx_id, position) < ($2::xid8, $3::bigint)`,
    [lookOf(reader), until.txId, until.position],
    'update_looked_through',
  )
}

/** False: somebody else reads; they hold it until their transaction ends. */
export async function lockReader(tx: Executor, reader: LogReader): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 7310579611)) as locked`,
    [reader],
    'lock_log_reader',
  )
  return row?.locked === true
}

/** How far a reader has come with an account. */
export async function findPlace(db: Executor, tenant: Tenant, reader: LogReader): Promise<FeedPosition> {
  const [row] = await db.query<FeedPosition>(
    `select tx_id::text as tx_id, position from event_places where account_id = $1 and environment = $2 and reader = $3`,
    [tenant.accountId, tenant.environment, reader],
    'find_log_place',
  )
  return row ?? { txId: '0', position: 0 }
}

/**
 * A reader's place of the account ($1, $2) in the snapshot of the statement that has this. Beside it a statement is told the
 * place that was found before: of a value the planner sees how few events lie behind it, of a row it expects a third of the log.
 */
export function placeIn(reader: LogReader): string {
  const own = (column: string) =>
    `(select p.${column} from event_places p where p.account_id = $1 and p.environment = $2 and p.reader = '${reader}')`
  return `select coalesce(${own('tx_id')}, '0'::xid8) as tx_id, coalesce(${own('position')}, 0) as position`
}

/** What became of reading on in the log of an account. */
export interface ReadEvents {
  count: number
  /** Where the reader stands now; null: it did nothing, for it had no more to read, or somebody else was first. */
  place: FeedPosition | null
}

export interface ReadFrom {
  place: FeedPosition
  limit: number
}

export interface ReadRow {
  count: number
  txId: string | null
  position: number | null
}

/**
 * Beginning of a statement that reads on in the log of an account ($1, $2) behind a place ($3, $4), $5 events at most:
 * `batch` are the events, `placed` has a row if nobody else has read on from there; what is written belongs to it.
 */
export const batchOf = (reader: LogReader, columns: string): string => `
  batch as materialized (
    select ${columns} from events e where e.account_id = $1 and e.environment = $2
      and (e.tx_id, e.position) > ($3::xid8, $4::bigint) and e.tx_id < (select events_horizon())
    order by e.tx_id, e.position limit $5
  ), placed as (
    insert into event_places as p (account_id, environment, reader, tx_id, position)
    select a.account_id, $2, '${reader}', b.tx_id, b.position
    from accounts a, (select tx_id, position from batch order by tx_id desc, position desc limit 1) b where a.account_id = $1
    on conflict (account_id, environment, reader) do update set tx_id = excluded.tx_id, position = excluded.position
      where (p.tx_id, p.position) <= ($3::xid8, $4::bigint)
    returning tx_id, position
  )`

/** End of such a statement. */
export const whatWasRead = `select b.count, p.tx_id::text as tx_id, p.position
  from (select count(*)::int as count from batch) b left join placed p on true`

export function readOf(rows: readonly ReadRow[]): ReadEvents {
  const { count = 0, txId = null, position = null } = rows[0] ?? {}
  return { count, place: txId === null || position === null ? null : { txId, position } }
}
