import type { Database, Executor } from '../db/database.ts'
import { errorCode, isUnavailable } from '../db/errors.ts'

/** What a standby ends because it has to go on following: the next server may well answer it. */
const endedByFollowing = ['40001', '40P01', '57P04']
/** No connection is left there; nothing may be written there. */
const refusedThere = ['53300', '25006']

/** Whether the same question may be asked of the primary: one that is wrong is wrong there as well. */
function mayBeAskedElsewhere(error: unknown): boolean {
  const code = errorCode(error)
  return isUnavailable(error) || (code !== null && [...endedByFollowing, ...refusedThere].includes(code))
}

/**
 * Reads from `replica` for as long as that answers, then from `primary`, which is never behind it. What is written, and
 * every transaction, goes to the primary.
 */
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
