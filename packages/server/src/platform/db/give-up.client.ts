import type pg from 'pg'

/** Takes the socket from a connection: all that waits for an answer there fails at once, and nothing more is sent. */
export function giveUp(client: pg.ClientBase): void {
  // The published types leave out the connection, which is there.
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
