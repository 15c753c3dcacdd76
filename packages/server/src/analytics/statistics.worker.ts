import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import { createPeriodicWorker, createPollingWorker } from '../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { readLog } from '../platform/events/log-reading.shell.ts'
import { createMonthsAcrossAccounts, dropOldEventMonthsAcrossAccounts } from '../platform/events/months.sql.ts'
import { adoptRestoredEvents } from '../platform/events/restored.sql.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { rollUpEvents } from './analytics.sql.ts'

const batchMax = 5_000
const idleMs = 1_000

interface StatisticsOptions {
  /**
   * The number of days that events stay in the log at least, since whole months are deleted. 0 keeps them permanently. Counts are
   * never deleted.
   */
  retentionDays: number
}

/**
 * Keeps the rollups up to date with the log. Requests never wait for it, because they add events that are not rolled up yet. Any
 * number of workers may run, but only one reads at a time.
 */
export function createStatisticsWorker(
  app: App,
  options: StatisticsOptions = { retentionDays: app.config.eventRetentionDays },
): Worker {
  let adopted = false
  const rollUp = createPollingWorker({
    name: 'statistics',
    log: app.log,
    heartbeats: app.heartbeats,
    pollMs: idleMs,
    // A restored log is counted in a single round.
    roundMsMax: 2 * hourMs,
    run: async () => {
      if (!adopted) await adoptRestored(app)
      adopted = true
      await rollUpAll(app)
      return false
    },
  })
  const months = createPeriodicWorker(app, {
    name: 'event months',
    everyMs: hourMs,
    run: () => keepMonths(app, options),
  })
  return {
    name: rollUp.name,
    async start() {
      await Promise.all([rollUp.start(), months.start()])
    },
    async stop() {
      await Promise.all([rollUp.stop(), months.stop()])
    },
  }
}

/** Rolls up all available events. Returns their number. */
export async function rollUpAll({ db }: Pick<App, 'db'>, limit = batchMax): Promise<number> {
  return readLog(db.relaxed(), { reader: 'statistics', limit, read: (tenant, from) => rollUpEvents(db, tenant, from) })
}

async function adoptRestored({ db, log, config }: App): Promise<void> {
  // With several database servers, the transaction ids of each may be ahead of another's. `overture distribute` corrects servers
  // that are behind their stored ids.
  if (config.distributed) return
  try {
    const count = await adoptRestoredEvents(db)
    if (count > 0) log.info({ event: 'events.restored', count })
  } catch (error) {
    log.error({ event: 'events.restored_failed', ...errorFacts(error as Error) })
  }
}

async function keepMonths({ db, clock, log }: App, { retentionDays }: StatisticsOptions): Promise<void> {
  const now = clock.now()
  await createMonthsAcrossAccounts(db, 'events', now)
  if (retentionDays <= 0) return
  const dropped = await dropOldEventMonthsAcrossAccounts(db, new Date(now.getTime() - retentionDays * dayMs))
  if (dropped.length > 0) log.info({ event: 'events.months_dropped', months: dropped })
}
