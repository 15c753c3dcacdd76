/** The position in a server's write-ahead log, as a number of bytes. */
export interface WrittenPosition {
  at: number
  /** Increases whenever another server takes over. Positions of different timelines can't be compared. */
  timeline: number
  /** The id of the cluster, whatever its address. */
  system: string
  /** The number of the database in the cluster. */
  database: string
}

/** `at` is null if the server has never replayed the log of another one. */
export interface ReplayedPosition extends Omit<WrittenPosition, 'at'> {
  isStandby: boolean
  at: number | null
}

/** `follows` means that it has the earlier writes within its time limit, `lags` that it doesn't, `gone` that it can't be queried. */
export const replicaStates = ['follows', 'lags', 'gone'] as const
export type ReplicaState = (typeof replicaStates)[number]

/** Why a server is not a replica of another, with the remedy; null if it is. */
export function unfitReplica(written: WrittenPosition, replayed: ReplayedPosition): string | null {
  if (written.system !== replayed.system)
    return 'this server is not a copy of the one in DATABASE_URL: name a standby of it (pg_basebackup -R).'
  if (written.database !== replayed.database)
    return 'this is another database than the one in DATABASE_URL. Use the same database name.'
  if (!replayed.isStandby) return 'this server is not a replica. Use a standby of the server in DATABASE_URL.'
  return null
}

/** Whether it shows all earlier writes. Positions of different timelines can't be compared, so after a failover the result is false. */
export function hasReplayed(written: WrittenPosition, replayed: ReplayedPosition): boolean {
  return replayed.timeline === written.timeline && replayed.at !== null && replayed.at >= written.at
}
