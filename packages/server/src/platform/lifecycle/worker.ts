/** Something that runs beside the requests. `start` resolves when it has begun, `stop` when nothing of it runs any more. */
export interface Worker {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
}
