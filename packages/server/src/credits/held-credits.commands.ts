import type { Database, Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { releaseReservation, reserve, settleReservation, type ChargeInput } from './credits.commands.ts'
import { findBalance } from './credits.sql.ts'

/** Credits set aside for a call that no transaction may hold. */
export interface HeldCredits {
  /** Takes what the call cost, at most what is held, and frees the rest. `now` of the charge, where it is a later one. */
  settle(tx: Executor, now?: Date): Promise<{ charged: number; balance: number }>
  /** Frees all of it; once settled or released there is nothing to free. */
  release(tx: Executor): Promise<void>
}

/** Sets credits aside before something is asked that costs them; 0 holds nothing. Throws INSUFFICIENT_CREDITS. */
export async function holdCredits(db: Database, tenant: Tenant, input: ChargeInput): Promise<HeldCredits> {
  if (input.amount === 0) return nothingHeld(tenant)
  const id = await db.transaction((tx) => reserve(tx, tenant, input))
  return {
    settle: (tx, now = input.now) => settleReservation(tx, tenant, id, now === undefined ? input : { ...input, now }),
    async release(tx) {
      await releaseReservation(tx, tenant, id)
    },
  }
}

/** Does what the credits are held for: an error of it, wherever it comes from, frees them. */
export async function whileHeld<Result>(db: Database, held: HeldCredits, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await db.transaction((tx) => held.release(tx))
    throw error
  }
}

export function nothingHeld(tenant: Tenant): HeldCredits {
  return {
    async settle(tx) {
      return { charged: 0, balance: (await findBalance(tx, tenant))?.balance ?? 0 }
    },
    release: () => Promise.resolve(),
  }
}
