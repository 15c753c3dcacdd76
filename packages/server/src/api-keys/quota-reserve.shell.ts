import { quotaMonth } from '../accounts/index.ts'
import type { Database, Executor } from '../platform/db/database.ts'
import { findMonthlyUsage } from '../accounts/index.ts'
import { findRequestsTaken, returnRequests, takeRequests } from './api-keys.sql.ts'

const blockRequests = 256
/** Limits the retries when several nodes take the last of a quota at once. A node that gets nothing tries again soon. */
const triesMax = 50
const idleMs = 400
const recheckMs = 250

interface Reserve {
  monthMs: number
  /** Requests that this node reserved and has not used yet. */
  unused: number
  /** The total in the database, including our reserve, at the last reservation. */
  total: number
  lastTakenMs: number
  /** The size of the next block. For a quiet account it is one, so that nothing has to be returned. */
  block: number
  /** Until then a used-up quota is not checked again. */
  emptyUntilMs: number
  pending: Promise<void> | null
}

/**
 * The monthly quota, counted in memory against blocks that are reserved in the database. It never over-admits on any number of
 * nodes, and on one node it is exact. Blocks double while they are used up one after the other. A quiet reserve is returned
 * after half a second. A killed process loses the rest of its block: 256 requests or a tenth of the remaining quota, whichever
 * is less, are counted but were never made.
 */
export class QuotaReserve {
  readonly #db: Database
  readonly #reserves = new Map<string, Reserve>()

  constructor(db: Database) {
    this.#db = db.relaxed()
  }

  /** Counts one request. Returns false if the quota of the month is used up. */
  take(accountId: string, limit: number, now: Date): boolean | Promise<boolean> {
    const reserve = this.#reserveOf(accountId, now)
    const decided = takeFrom(reserve, limit, now.getTime())
    return decided ?? this.#takeAfterReserving(accountId, reserve, limit, now)
  }

  async usage(accountId: string, now: Date): Promise<number> {
    const reserve = this.#reserves.get(accountId)
    await reserve?.pending
    if (reserve !== undefined && reserve.unused > 0 && reserve.monthMs === quotaMonth(now).start.getTime()) {
      return reserve.total - reserve.unused
    }
    return findMonthlyUsage(this.#db, accountId, quotaMonth(now).start)
  }

  /** Returns reserves that were unused for a moment. */
  async returnIdle(now: Date): Promise<void> {
    for (const [accountId, reserve] of this.#reserves) {
      const idle = now.getTime() - reserve.lastTakenMs >= idleMs
      if (!idle || reserve.pending !== null) continue
      if (reserve.unused > 0) await this.#giveBack(accountId, reserve)
      else this.#reserves.delete(accountId)
    }
  }

  async returnAll(): Promise<void> {
    for (const [accountId, reserve] of this.#reserves) {
      await reserve.pending
      await this.#giveBack(accountId, reserve)
    }
  }

  forget(accountId: string): void {
    const reserve = this.#reserves.get(accountId)
    if (reserve !== undefined) reserve.emptyUntilMs = 0
  }

  #reserveOf(accountId: string, now: Date): Reserve {
    const monthMs = quotaMonth(now).start.getTime()
    const known = this.#reserves.get(accountId)
    if (known !== undefined && known.monthMs >= monthMs) return known
    // The rest of last month's block is worthless, because that month is over.
    const fresh: Reserve = { monthMs, unused: 0, total: 0, lastTakenMs: 0, block: 1, emptyUntilMs: 0, pending: null }
    this.#reserves.set(accountId, fresh)
    return fresh
  }

  async #takeAfterReserving(accountId: string, reserve: Reserve, limit: number, now: Date): Promise<boolean> {
    for (;;) {
      reserve.pending ??= this.#reserveBlock(accountId, reserve, limit, now).finally(() => (reserve.pending = null))
      await reserve.pending
      const decided = takeFrom(reserve, limit, now.getTime())
      if (decided !== null) return decided
    }
  }

  async #reserveBlock(accountId: string, reserve: Reserve, limit: number, now: Date): Promise<void> {
    const month = new Date(reserve.monthMs)
    const { block } = reserve
    const { granted, total } = await reserveBlock(this.#db, accountId, { month, limit, block })
    reserve.total = total
    reserve.unused += granted
    reserve.block = Math.min(block * 2, blockRequests)
    if (granted === 0) reserve.emptyUntilMs = now.getTime() + recheckMs
  }

  async #giveBack(accountId: string, reserve: Reserve): Promise<void> {
    const { unused } = reserve
    if (unused === 0) return
    reserve.unused = 0
    reserve.total -= unused
    reserve.pending = returnRequests(this.#db, accountId, new Date(reserve.monthMs), unused).finally(
      () => (reserve.pending = null),
    )
    await reserve.pending
  }
}

/** The size of the block that a node reserves. It shrinks near the limit, so that other nodes get some, and never exceeds the limit. */
export function reserveSize(taken: number, { limit, block }: { limit: number; block: number }): number {
  const remaining = limit - taken
  return Math.max(0, Math.min(block, Math.max(1, Math.trunc(remaining / 10)), remaining))
}

// A block of several requests is at most a tenth of the remaining quota, even with concurrent reservations. Returns null if it is
// larger.
async function takeBlock(
  db: Executor,
  accountId: string,
  { month, limit, count }: { month: Date; limit: number; count: number },
): Promise<number | null> {
  const within = count === 1 ? limit : limit - 9 * count
  return within < count ? null : takeRequests(db, accountId, { month, count, limit: within })
}

/** Reserves a block. Returns the granted number and the new total. */
export async function reserveBlock(
  db: Executor,
  accountId: string,
  { month, limit, block }: { month: Date; limit: number; block: number },
): Promise<{ granted: number; total: number }> {
  // Far from the limit the total need not be read first.
  const total = await takeBlock(db, accountId, { month, limit, count: block })
  if (total !== null) return { granted: block, total }
  for (let tries = 1; ; tries++) {
    const taken = await findRequestsTaken(db, accountId, month)
    const granted = tries > triesMax ? 0 : reserveSize(taken, { limit, block })
    if (granted === 0) return { granted, total: taken }
    // Null: another node reserved first, and less is left.
    const now = await takeBlock(db, accountId, { month, limit, count: granted })
    if (now !== null) return { granted, total: now }
  }
}

// Returns null if only the database can decide.
function takeFrom(reserve: Reserve, limit: number, nowMs: number): boolean | null {
  if (reserve.unused > 0) {
    if (reserve.total - reserve.unused >= limit) return false
    reserve.unused--
    reserve.lastTakenMs = nowMs
    return true
  }
  return nowMs < reserve.emptyUntilMs ? false : null
}
