import { ApiError } from '@overture/sdk'

type Listener = () => void
const listeners = new Set<Listener>()
const waiting = new Set<Listener>()

/** Notified when the API no longer accepts the session. Sign-in opens above the page, which stays as it is. */
export const lostSession = {
  tell(): void {
    for (const listener of listeners) listener()
  },
  listen(listener: Listener): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** The user signed in again: requests that were refused in between are retried. */
  regained(): void {
    for (const listener of waiting) listener()
  },
  whenRegained(listener: Listener): () => void {
    waiting.add(listener)
    return () => waiting.delete(listener)
  },
}

export function isLostSession(error: unknown): boolean {
  return ApiError.is(error) && error.status === 401
}
