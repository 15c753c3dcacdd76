import type { Transaction } from '../../platform/db/database.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'

export const readCalendarKind = 'meeting.read_calendar'

/** Reads the host's calendar at a moment in real time. In the test environment, no calendar is read. */
export async function enqueueCalendarReading(tx: Transaction, tenant: Tenant, runAt: Date): Promise<void> {
  if (tenant.environment === 'test') return
  await enqueueJob(tx, { kind: readCalendarKind, tenant, runAt, clock: 'real', key: 'calendar' })
}
