// Not imported from the index: a command needs no planner and should not load it.
import { pauseRestoredCampaigns } from '../campaigns/restored.commands.ts'
import type { App } from '../platform/app.ts'
import type { Transaction } from '../platform/db/database.ts'
import { deleteRestored, lockRestored } from './open-app.sql.ts'

const campaignsMax = 200

/**
 * Finishes a restore after its rows are loaded: pauses live campaigns in batches. If it is interrupted, the next command or
 * server continues; sending is held until then. Returns the number of paused campaigns, or null if nothing was restored.
 */
export async function finishRestore(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>,
  recorded: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
): Promise<number | null> {
  let paused = 0
  for (;;) {
    const batch = await db.transaction(async (tx) => {
      if ((await lockRestored(tx)) === null) return null
      const count = await pauseRestoredCampaigns(tx, { campaignsMax, now: clock.now() })
      if (count === campaignsMax) return { count, done: false }
      await deleteRestored(tx)
      await recorded(tx)
      return { count, done: true }
    })
    if (batch === null) return null
    paused += batch.count
    if (!batch.done) continue
    log.warn({ event: 'database.restored', paused, sending: 'held', resume: 'overture resume-after-restore' })
    return paused
  }
}
