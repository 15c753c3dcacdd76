import type { Executor } from '../db/database.ts'
import type { ReplayedPosition, WrittenPosition } from './replica-state.ts'

const identity = `(select system_identifier from pg_control_system())::text as system,
  (select oid from pg_database where datname = current_database())::text as database`

/** The position up to which the primary has flushed its log to disk, which includes all acknowledged commits. */
export async function findWrittenPosition(db: Executor): Promise<WrittenPosition> {
  const [row] = await db.query<WrittenPosition>(
    `select (f.lsn - '0/0'::pg_lsn) as at, ('x' || substr(pg_walfile_name(f.lsn), 1, 8))::bit(32)::int as timeline, ${identity}
     from (select pg_current_wal_flush_lsn() as lsn) f`,
    [],
    'find_written_position',
  )
  return row!
}

/** The position up to which a standby has replayed that log. */
export async function findReplayedPosition(db: Executor): Promise<ReplayedPosition> {
  const [row] = await db.query<ReplayedPosition>(
    `select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn) as at,
       greatest((select timeline_id from pg_control_checkpoint()),
         (select min_recovery_end_timeline from pg_control_recovery()),
         (select received_tli from pg_stat_wal_receiver)) as timeline, ${identity}`,
    [],
    'find_replayed_position',
  )
  return row!
}
