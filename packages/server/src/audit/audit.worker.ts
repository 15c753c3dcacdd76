import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { createMonthsAcrossAccounts } from '../platform/events/months.sql.ts'
import { dropOldMonths, sealEntries } from './seals.commands.ts'

export const auditPeriodic: readonly PeriodicTask[] = [
  {
    name: 'audit.seal',
    everyMs: minuteMs,
    async run(app, now) {
      await sealEntries(app, now)
    },
  },
  {
    name: 'audit.months',
    everyMs: dayMs,
    async run(app, now) {
      await createMonthsAcrossAccounts(app.db, 'audit_entries', now)
      const { auditDays } = app.config
      if (auditDays === 0) return
      const dropped = await dropOldMonths(app, new Date(now.getTime() - auditDays * dayMs), now)
      if (dropped.length > 0) app.log.info({ event: 'audit.months_dropped', months: dropped })
    },
  },
]
