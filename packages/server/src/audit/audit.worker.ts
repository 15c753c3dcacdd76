import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { createAuditMonthsAcrossAccounts } from './audit-log.sql.ts'
import { dropOldMonths, sealEntries } from './seals.commands.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

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
      await createAuditMonthsAcrossAccounts(app.db, now)
      const { auditDays } = app.config
      if (auditDays === 0) return
      const dropped = await dropOldMonths(app, new Date(now.getTime() - auditDays * dayMs), now)
      if (dropped.length > 0) app.log.info({ event: 'audit.months_dropped', months: dropped })
    },
  },
]
