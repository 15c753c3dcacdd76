import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'

/** The readers that follow the log of every account, each with its own places. */
export type LogReader = 'statistics' | 'webhooks'

/** All readers. */
export const logReaders: readonly LogReader[] = ['statistics', 'webhooks']

/** How far a reader has polled one epoch. Transaction numbers have an order within an epoch, but not across different servers. */
export interface Look {
  epoch: number
  /** Everything up to this position was polled. */
  from: FeedPosition
  /** The log is complete below this transaction number. */
  below: string
  /** False if no server writes in this epoch any more. */
  isCurrent: boolean
}

const epochShift = 48n

/** The end of an epoch: all of its numbers are below, all of the next epoch's are not. */
function epochEnd({ epoch }: Pick<Look, 'epoch'>): string {
  return String(BigInt(epoch + 1) << epochShift)
}

/** The position up to which a reader has polled each epoch that may have news, lowest first. */
export async function listLooks(db: Executor, reader: LogReader): Promise<Look[]> {
  const rows = await db.query<FeedPosition & { epoch: number; below: string | null }>(
    `select coalesce(l.epoch, h.epoch) as epoch, coalesce(l.tx_id, (h.epoch::bigint << 48)::text::xid8)::text as tx_id,
       coalesce(l.position, 0) as position, h.below::text as below
     from (select epoch, tx_id, position from event_looks where reader = $1) l
     full join (select (t::text::bigint >> 48)::int as epoch, min(t::text::bigint) as below from event_horizons() t group by 1) h
       on h.epoch = l.epoch
     order by 1`,
    [reader],
    'list_log_looks',
  )
  return rows.map(({ epoch, below, ...from }) => ({
    epoch,
    from,
    below: below ?? epochEnd({ epoch }),
    isCurrent: below !== null,
  }))
}

/** When the first event that a reader has not seen yet was appended, whether or not it is readable yet; null if there is none. */
export async function findUnreadAcrossAccounts(
  db: Executor,
  { epoch, from }: Pick<Look, 'epoch' | 'from'>,
  table = 'events',
): Promise<Date | null> {
  const [row] = await db.query<{ recordedAt: Date }>(
    `select recorded_at from ${table} e where (e.tx_id, e.position) > ($1::xid8, $2::bigint) and e.tx_id < $3::xid8
     order by e.tx_id, e.position limit 1`,
    [from.txId, from.position, epochEnd({ epoch })],
  )
  return row?.recordedAt ?? null
}

interface SeenEvent extends Tenant, FeedPosition {}

/** The events after a poll position, of all accounts, in order; `limit` at most. */
export async function listEventsBehindLookAcrossAccounts(
  db: Executor,
  { from, below }: Pick<Look, 'from' | 'below'>,
  limit: number,
): Promise<SeenEvent[]> {
  return db.query<SeenEvent>(
    `select account_id, environment, tx_id::text as tx_id, position from events
     where (tx_id, position) > ($1::xid8, $2::bigint) and tx_id < $3::xid8 order by events.tx_id, events.position limit $4`,
    [from.txId, from.position, below, limit],
    'list_events_behind_look',
  )
}

/** The places of a reader in these accounts. Deleted accounts are missing; the environment is null for accounts that it has not begun. */
export async function listPlacesAcrossAccounts(
  db: Executor,
  reader: LogReader,
  accountIds: readonly string[],
): Promise<{ accountId: string; environment: Tenant['environment'] | null; txId: string; position: number }[]> {
  return db.query(
    `select a.account_id, p.environment, p.tx_id::text as tx_id, p.position
     from accounts a left join event_places p on p.account_id = a.account_id and p.reader = $1
     where a.account_id = any($2)`,
    [reader, accountIds],
    'list_log_places',
  )
}

/** Stores that everything up to this position was read, of every account. A lower position never replaces a higher one. */
export async function upsertLook(db: Executor, reader: LogReader, epoch: number, until: FeedPosition): Promise<void> {
  await db.execute(
    `insert into event_looks as l (reader, epoch, tx_id, position) values ($1, $2, $3::xid8, $4)
     on conflict (reader, epoch) do update set tx_id = excluded.tx_id, position = excluded.position
       where (l.tx_id, l.position) < (excluded.tx_id, excluded.position)`,
    [reader, epoch, until.txId, until.position],
    'upsert_log_look',
  )
}

/** Deletes the poll positions of epochs that were read completely and get no new events. */
export async function deleteLooks(db: Executor, reader: LogReader, epochs: readonly number[]): Promise<void> {
  await db.execute(
    'delete from event_looks where reader = $1 and epoch = any($2)',
    [reader, epochs],
    'delete_log_looks',
  )
}

/** Takes the reader's lock until the end of the transaction. Returns false if another process has it. */
export async function lockReader(tx: Executor, reader: LogReader): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 7310579611)) as locked`,
    [reader],
    'lock_log_reader',
  )
  return row?.locked === true
}

/** The place of a reader in an account. */
export async function findPlace(db: Executor, tenant: Tenant, reader: LogReader): Promise<FeedPosition> {
  const [row] = await db.query<FeedPosition>(
    `select tx_id::text as tx_id, position from event_places where account_id = $1 and environment = $2 and reader = $3`,
    [tenant.accountId, tenant.environment, reader],
    'find_log_place',
  )
  return row ?? { txId: '0', position: 0 }
}

/**
 * Selects a reader's place in the account ($1, $2) in the snapshot of the statement. The statement also gets the previously read
 * place as a parameter. PostgreSQL estimates well how few events follow a value, but expects a third of the log after the result
 * of a subquery.
 */
export function placeIn(reader: LogReader): string {
  const own = (column: string) =>
    `(select p.${column} from event_places p where p.account_id = $1 and p.environment = $2 and p.reader = '${reader}')`
  return `select coalesce(${own('tx_id')}, '0'::xid8) as tx_id, coalesce(${own('position')}, 0) as position`
}

/** The result of reading the next events of an account. */
export interface ReadEvents {
  count: number
  /** The new place of the reader; null if nothing was done, because there was no more to read or another process was first. */
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
 * The beginning of a statement that reads the next events of an account ($1, $2) after a place ($3, $4). Its `batch` has these
 * events, $5 at most. Its `placed` has a row if no other process has read on from there, and the statement may write only then.
 */
export const nextBatch = (reader: LogReader, columns: string): string => `
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

/** The end of a statement that begins with `nextBatch`. */
export const whatWasRead = `select b.count, p.tx_id::text as tx_id, p.position
  from (select count(*)::int as count from batch) b left join placed p on true`

export function toReadEvents(rows: readonly ReadRow[]): ReadEvents {
  const { count = 0, txId = null, position = null } = rows[0] ?? {}
  return { count, place: txId === null || position === null ? null : { txId, position } }
}
