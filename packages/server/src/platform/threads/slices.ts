/** The messages between a `WatchedThread` and the file that runs in it. */

export interface ThreadSlice<Item> {
  items: readonly Item[]
  /** After this time the thread returns its finished answers, between two items. */
  sliceMs: number
}

export interface ThreadData {
  progress: SharedArrayBuffer
}

/**
 * The first message reports the start, with the id under which the system counts the thread's CPU time. The others contain the
 * answers of a slice, with their CPU time.
 */
export type ThreadReply<Answer> = { systemId: string | null } | { answers: Answer[]; tookMs: number }

/** Indexes into the shared memory: the number of items begun, and the current item of the slice. */
export const progressPlaces = { begun: 0, item: 1, count: 2 } as const
