import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'

/** Who follows the log of every account, each at its own place. */
export type LogReader = 'statistics' | 'webhooks'

/** Which readers there are. */
export const logReaders: readonly LogReader[] = ['statistics', 'webhooks']

/** Numbers of one epoch have an order among each other, which those of different servers have not. */
export interface Look {
  epoch: number
  /** Up to here it was looked through. */
  from: FeedPosition
  /** What is numbered below this is complete. */
  below: string
  /** False: no server writes in it any more. */
  isCurrent: boolean
}

const epochShift = 48n

/** Below it is everything that is numbered in an epoch, and nothing of the next one. */
function endOf({ epoch }: Pick<Look, 'epoch'>): string {
  return String(BigInt(epoch + 1) << epochShift)
}

/** Up to where a reader has looked, in each epoch in which something may be new, lowest first. */
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
    below: below ?? endOf({ epoch }),
    isCurrent: below !== null,
  }))
}

/** When the first event was appended that a reader has still to see, complete or not; null: there is none. */
export async function findUnreadAcrossAccounts(
  db: Executor,
  { epoch, from }: Pick<Look, 'epoch' | 'from'>,
  table = 'events',
): Promise<Date | null> {
  const [row] = await db.query<{ recordedAt: Date }>(
    `select recorded_at from ${table} e where (e.tx_id, e.position) > ($1::xid8, $2::bigint) and e.tx_id < $3::xid8
     order by e.tx_id, e.position limit 1`,
    [from.txId, from.position, endOf({ epoch })],
  )
  return row?.recordedAt ?? null
}

interface SeenEvent extends Tenant, FeedPosition {}

/** What follows a look, `limit` events of all accounts at most, in order. */
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

/** How far a reader has come with each of these accounts; those that are gone are missing, null where it has not begun. */
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

/** All that lies there is read, of every account. Never goes back, whoever is later. */
export async function upsertLook(db: Executor, reader: LogReader, epoch: number, until: FeedPosition): Promise<void> {
  await db.execute(
    `insert into event_looks as l (reader, epoch, tx_id, position) values ($1, $2, $3::xid8, $4)
     on conflict (reader, epoch) do update set tx_id = excluded.tx_id, position = excluded.position
       where (l.tx_id, l.position) < (excluded.tx_id, excluded.position)`,
    [reader, epoch, until.txId, until.position],
    'upsert_log_look',
  )
}

/** Nothing is left in these epochs, and nothing more can come. */
export async function deleteLooks(db: Executor, reader: LogReader, epochs: readonly number[]): Promise<void> {
  await db.execute(
    'delete from event_looks where reader = $1 and epoch = any($2)',
    [reader, epochs],
    'delete_log_looks',
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
