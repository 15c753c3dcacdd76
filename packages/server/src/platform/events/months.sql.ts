import type { Executor } from '../db/database.ts'
import { findUnreadAcrossAccounts, listLooks, logReaders } from './places.sql.ts'

/** The tables that are partitioned by month, with the function from the migrations that creates a partition. */
const makers = { events: 'create_events_month', audit_entries: 'create_audit_month' } as const
type MonthlyTable = keyof typeof makers

/** Creates the missing partitions of this month and the next three. */
export async function createMonthsAcrossAccounts(db: Executor, table: MonthlyTable, now: Date): Promise<void> {
  await db.execute(
    `select ${makers[table]}($1::timestamptz + month * interval '1 month') from generate_series(0, 3) as month`,
    [now],
  )
}

interface Month {
  /** The name of the partition. */
  name: string
  end: Date
}

/** Months that ended before `before`, oldest first. */
export async function listMonthsBeforeAcrossAccounts(
  db: Executor,
  table: MonthlyTable,
  before: Date,
): Promise<Month[]> {
  return db.query<Month>(
    `select m.name, m.until as end from (
       select c.relname as name,
         date_trunc('month', to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '32 days', 'UTC') as until
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$') m
     where m.until <= $2 order by m.name`,
    [table, before],
  )
}

export async function deleteMonthAcrossAccounts(db: Executor, name: string): Promise<void> {
  await db.execute(`drop table ${name}`)
}

/**
 * Drops the months that ended before `before`, oldest first, but never one with an event that a reader has not seen yet. Returns
 * their names.
 */
export async function dropOldEventMonthsAcrossAccounts(db: Executor, before: Date): Promise<string[]> {
  const looks = (await Promise.all(logReaders.map((reader) => listLooks(db, reader)))).flat()
  const dropped: string[] = []
  for (const { name } of await listMonthsBeforeAcrossAccounts(db, 'events', before)) {
    const unread = await Promise.all(looks.map((look) => findUnreadAcrossAccounts(db, look, name)))
    if (unread.some((one) => one !== null)) break
    await deleteMonthAcrossAccounts(db, name)
    dropped.push(name)
  }
  return dropped
}
