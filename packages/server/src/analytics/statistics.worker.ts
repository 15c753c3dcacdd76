import { dayMs, hourMs } from '../ground/time/spans.ts'
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
  /** Days that events stay in the log at least, for it forgets whole months; 0 keeps them for ever. Counts stay. */
  retentionDays: number
}

/**
 * Keeps the rollups close behind the log. Answers never wait for it, for what is not rolled up yet is added when read.
 * Any number may run: one of them reads at a time.
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
    // A log that was restored is counted in one round.
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

/** Rolls everything up that can be; answers how many events that were. */
export async function rollUpAll({ db }: Pick<App, 'db'>, limit = batchMax): Promise<number> {
  return readLog(db.relaxed(), { reader: 'statistics', limit, read: (tenant, from) => rollUpEvents(db, tenant, from) })
}

async function adoptRestored({ db, log, config }: App): Promise<void> {
  // Of several servers each is ahead of another; `overture distribute` sees to those that are behind what they store.
  if (config.citus) return
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
