import type { Executor } from '../db/database.ts'

/** Makes the log's partitions of this month and the next three, where they are missing. */
export async function createEventMonths(db: Executor, now: Date): Promise<void> {
  await db.execute(
    `select create_events_month($1::timestamptz + month * interval '1 month') from generate_series(0, 3) as month`,
    [now],
  )
}

interface EventMonth {
  name: string
  end: Date
}

/**
 * Drops the months that ended before `before`, oldest first; never one that holds an event which a reader has still to
 * see. Answers their names.
 */
export async function dropOldEventMonths(db: Executor, before: Date): Promise<string[]> {
  const months = await db.query<EventMonth>(
    `select c.relname as name,
       (date_trunc('month', to_timestamp(substr(c.relname, 8), 'YYYY_MM') + interval '32 days', 'UTC')) as end
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by c.relname`,
  )
  const dropped: string[] = []
  for (const { name, end } of months) {
    if (end > before) continue
    const [unread] = await db.query(
      `select 1 from ${name} e where (e.tx_id, e.position) >
         (select c.tx_id, c.position from event_cursors c order by c.tx_id, c.position limit 1) limit 1`,
    )
    if (unread !== undefined) break
    await db.execute(`drop table ${name}`)
    dropped.push(name)
  }
  return dropped
}
