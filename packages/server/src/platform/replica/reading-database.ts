import type { Database, Executor } from '../db/database.ts'
import { errorCode, isUnavailable } from '../db/errors.ts'

/** Errors with which a standby ends a query in order to continue replication: the primary may run it successfully. */
const endedByFollowing = ['40001', '40P01']
/** Writing is not allowed there. */
const refusedThere = ['25006']

/** Whether the same query may be sent to the primary. A wrong query fails there as well, so it is not repeated. */
function mayBeAskedElsewhere(error: unknown): boolean {
  const code = errorCode(error)
  return isUnavailable(error) || (code !== null && [...endedByFollowing, ...refusedThere].includes(code))
}

/** Reads from `replica` until it fails, then from `primary`, which is never older. Writes and all transactions go to the primary. */
export function readingFrom(replica: Database, primary: Database, failed: (error: unknown) => void): Database {
  let hasLeft = false
  const read = async <Result>(ask: (db: Executor) => Promise<Result>): Promise<Result> => {
    if (hasLeft) return ask(primary)
    try {
      return await ask(replica)
    } catch (error) {
      if (!mayBeAskedElsewhere(error)) throw error
      hasLeft = true
      failed(error)
      return ask(primary)
    }
  }
  return {
    query: (...statement) => read((db) => db.query(...statement)),
    execute: (...statement) => primary.execute(...statement),
    transaction: (run, options) => primary.transaction(run, options),
    listen: (channel, callback) => primary.listen(channel, callback),
    within: (accountId) => readingFrom(replica.within(accountId), primary.within(accountId), failed),
    beyondWall: () => readingFrom(replica.beyondWall(), primary.beyondWall(), failed),
    relaxed: () => readingFrom(replica.relaxed(), primary.relaxed(), failed),
  }
}
