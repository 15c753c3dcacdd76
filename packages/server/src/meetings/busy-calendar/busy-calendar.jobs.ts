import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { BusySpan } from '@overture/mail-reading/calendars/busy-times.ts'
import type { CalendarReading } from '@overture/mail-reading/reading/read-message.ts'
import type { JobContext, JobHandler } from '../../platform/jobs/job.ts'
import { accountReach } from '../../platform/mail/network-guard.client.ts'
import { readIntegrations } from '../availability/availability.commands.ts'
import { findAvailability, lockAvailability, updateBusyTimes } from '../availability/availability.sql.ts'
import { downloadCalendar } from './calendar-file.client.ts'
import { enqueueCalendarReading, readCalendarKind } from '../availability/calendar-reading.commands.ts'

/** Reads a calendar in a thread of its own (inbox/index.ts). Throws if nothing can be read now. */
export interface CalendarReader {
  readCalendar(raw: Uint8Array, span: BusySpan): Promise<CalendarReading | { outcome: 'set_aside' }>
}

const everyMs = 10 * minuteMs
/** The booking page looks a few days further than the last day that it offers. */
const moreDays = 3

/** Reads the host's calendar every ten minutes, until its address is removed. */
export function busyCalendarJob(reader: CalendarReader): JobHandler {
  return {
    kind: readCalendarKind,
    maxAttempts: 50,
    lane: 'mail',
    run: (context) => readHostCalendar(reader, context),
  }
}

async function readHostCalendar(reader: CalendarReader, { app, tenant, now }: JobContext): Promise<void> {
  const { calendarUrl } = await readIntegrations(app, tenant)
  const availability = await findAvailability(app.db, tenant)
  if (calendarUrl === null || availability === null) return
  const { maxDaysAhead, timezone } = availability.settings
  const toMs = now.getTime() + (maxDaysAhead + moreDays) * dayMs
  const read = await readFrom(reader, calendarUrl, {
    reach: accountReach(app, tenant.accountId),
    span: { fromMs: now.getTime() - dayMs, toMs, timezone },
  })
  await app.db.transaction(async (tx) => {
    await lockAvailability(tx, tenant, availability)
    // The address may have been replaced meanwhile. That change has enqueued a reading of its own.
    if ((await readIntegrations({ secrets: app.secrets, db: tx }, tenant)).calendarUrl !== calendarUrl) return
    await updateBusyTimes(tx, tenant, { ...read, readAt: read.times === null ? null : now })
    await enqueueCalendarReading(tx, tenant, new Date(now.getTime() + everyMs))
  })
}

interface CalendarTimes {
  times: [number, number][] | null
  error: string | null
}

async function readFrom(
  reader: CalendarReader,
  url: string,
  { reach, span }: { reach: Parameters<typeof downloadCalendar>[1]; span: BusySpan },
): Promise<CalendarTimes> {
  const file = await downloadCalendar(url, reach)
  if (file.kind === 'failed') return { times: null, error: file.error }
  const reading = await reader.readCalendar(file.raw, span)
  switch (reading.outcome) {
    case 'set_aside':
      return { times: null, error: 'The calendar is too large, or has a rule that no date fulfills.' }
    case 'no_calendar':
      return { times: null, error: 'The address shows no calendar. Copy the address that ends in .ics.' }
    case 'read':
      return {
        times: reading.times.busy,
        error: reading.times.complete ? null : 'Some events could not be read. Their times may be offered.',
      }
  }
}
