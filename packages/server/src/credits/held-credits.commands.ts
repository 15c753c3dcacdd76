import type { Database, Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { releaseReservation, reserve, settleReservation, type ChargeInput } from './credits.commands.ts'
import { findBalance } from './credits.sql.ts'

/** Credits reserved for a call that must not run inside a transaction. */
export interface HeldCredits {
  /** Charges the cost of the call, at most the held amount, and releases the rest. `now` is the time of the charge if it is later. */
  settle(tx: Executor, now?: Date): Promise<{ charged: number; balance: number }>
  /** The same for a call that cost less than the held amount. */
  settlePart(tx: Executor, amount: number): Promise<{ charged: number; balance: number }>
  /** Releases all held credits. Does nothing after `settle` or `release`. */
  release(tx: Executor): Promise<void>
}

/** Reserves credits before a request that costs them. An amount of 0 reserves nothing. Throws INSUFFICIENT_CREDITS. */
export async function holdCredits(db: Database, tenant: Tenant, input: ChargeInput): Promise<HeldCredits> {
  if (input.amount === 0) return nothingHeld(tenant)
  const id = await db.transaction((tx) => reserve(tx, tenant, input))
  return {
    settle: (tx, now = input.now) => settleReservation(tx, tenant, id, now === undefined ? input : { ...input, now }),
    settlePart: (tx, amount) => settleReservation(tx, tenant, id, { ...input, amount }),
    async release(tx) {
      await releaseReservation(tx, tenant, id)
    },
  }
}

/** Runs the work for which the credits are held. If it throws, the credits are released and the error is rethrown. */
export async function whileHeld<Result>(db: Database, held: HeldCredits, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await db.transaction((tx) => held.release(tx))
    throw error
  }
}

export function nothingHeld(tenant: Tenant): HeldCredits {
  const settle = async (tx: Executor) => ({ charged: 0, balance: (await findBalance(tx, tenant))?.balance ?? 0 })
  return {
    settle,
    settlePart: settle,
    release: () => Promise.resolve(),
  }
}
