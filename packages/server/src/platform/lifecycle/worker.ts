/** A background worker. `start` resolves when it has begun, `stop` when all of its work has ended. */
export interface Worker {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
}
