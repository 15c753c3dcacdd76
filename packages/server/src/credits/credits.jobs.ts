import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import { releaseReservation } from './credits.commands.ts'
import {
  findDisagreementsAcrossAccounts,
  findEndedPeriodsAcrossAccounts,
  findExpiredReservationsAcrossAccounts,
} from './credits.sql.ts'
import { renewPlan } from './plans.commands.ts'

const batch = 500

/** A periodic task on worker nodes. It may run on several nodes at once. */
interface Periodic {
  name: string
  everyMs: number
  run(app: App, now: Date): Promise<void>
}

export const creditsPeriodic: Periodic[] = [
  { name: 'credits.release_expired', everyMs: minuteMs, run: releaseExpired },
  { name: 'credits.renew_plans', everyMs: 300_000, run: renewEndedPeriods },
  { name: 'credits.check_ledgers', everyMs: dayMs, run: checkLedgers },
]

async function releaseExpired(app: App): Promise<void> {
  const expired = await findExpiredReservationsAcrossAccounts(app.db, batch)
  for (const { id, ...tenant } of expired) {
    await app.db.transaction((tx) => releaseReservation(tx, tenant, id))
    app.log.warn({ event: 'credits.reservation_expired', accountId: tenant.accountId, reservationId: id })
  }
}

async function renewEndedPeriods(app: App, now: Date): Promise<void> {
  for (const tenant of await findEndedPeriodsAcrossAccounts(app.db, now, batch)) {
    await app.db.transaction((tx) => renewPlan(tx, tenant, now))
  }
}

/** Runs nightly. Logs an error for each balance that is not the sum of its ledger. Balances are never corrected automatically. */
async function checkLedgers(app: App): Promise<void> {
  const disagreements = await findDisagreementsAcrossAccounts(app.db)
  for (const found of disagreements) app.log.error({ event: 'credits.ledger_disagrees', ...found })
  if (disagreements.length === 0) app.log.info({ event: 'credits.ledgers_agree' })
}
