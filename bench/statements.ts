import pg from 'pg'

/** Counts the statements that this process sends to the database until it is stopped. */
export function countStatements(): { stop(): number } {
  const { prototype } = pg.Client
  const send = Reflect.get(prototype, 'query') as (this: pg.Client, ...args: unknown[]) => unknown
  let count = 0
  prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count++
    return send.apply(this, args)
  } as typeof prototype.query
  return {
    stop() {
      prototype.query = send as typeof prototype.query
      return count
    },
  }
}
