/** What a `WatchedThread` and the file inside it say to one another. */

export interface ThreadSlice<Item> {
  items: readonly Item[]
  /** The thread hands back what it has after so long, between two items. */
  sliceMs: number
}

export interface ThreadData {
  progress: SharedArrayBuffer
}

/** That it is there, and by which name the system counts its CPU time; then what it made of each slice, and the CPU time that it took. */
export type ThreadReply<Answer> = { systemId: string | null } | { answers: Answer[]; tookMs: number }

/** Places in the memory that both see: how many items were begun, and which one of the slice is under way. */
export const progressPlaces = { begun: 0, item: 1, count: 2 } as const
