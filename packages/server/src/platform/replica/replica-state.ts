/** Where a server's log of writes stands, as a number of bytes. */
export interface WrittenPosition {
  at: number
  /** Raised whenever another server takes over: positions of two timelines can't be compared. */
  timeline: number
  /** Which cluster it is, whatever its address. */
  system: string
  /** The database's number in it. */
  database: string
}

/** Null: it follows another server itself, or was never given anything to follow. */
export interface ReplayedPosition extends Omit<WrittenPosition, 'at'> {
  isStandby: boolean
  at: number | null
}

/** `follows`: it has what was written within its bound; `lags`: it has not; `gone`: nothing can be asked there. */
export const replicaStates = ['follows', 'lags', 'gone'] as const
export type ReplicaState = (typeof replicaStates)[number]

/** Why a server is no replica of another, and what to do; null: it is one. */
export function unfitReplica(written: WrittenPosition, replayed: ReplayedPosition): string | null {
  if (written.system !== replayed.system)
    return 'this server is no copy of the one in DATABASE_URL: name one that was made from it and follows it (pg_basebackup -R).'
  if (written.database !== replayed.database)
    return 'this is another database of that server than the one in DATABASE_URL: name the same one.'
  if (!replayed.isStandby)
    return 'this server follows no other one, and does not hear what is written: name a standby of the one in DATABASE_URL.'
  return null
}

/** Whether it shows all that was written; positions of two timelines can't be compared, so that after a failover it does not. */
export function hasReplayed(written: WrittenPosition, replayed: ReplayedPosition): boolean {
  return replayed.timeline === written.timeline && replayed.at !== null && replayed.at >= written.at
}
