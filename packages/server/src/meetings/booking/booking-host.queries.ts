import { writeCalendarFile } from '@overture/mail-reading/calendars/invitation.ts'
import type { App } from '../../platform/app.ts'
import { senderName } from '@overture/contract/accounts/sender-name.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findAccountName, findMeetingSender } from '../availability/availability.sql.ts'
import type { MeetingRow } from '../meetings.sql.ts'
import { toCalendarEntry } from '../notices/notices.commands.ts'
import { createManageUrl } from '../notices/tokens.ts'
import { findBookingSettings } from './booking.commands.ts'

/** The host as a visitor sees it: person, company or both. */
export async function findHostName({ db }: App, tenant: Tenant, hostName: string | null): Promise<string | null> {
  return senderName({ person: hostName, company: await findAccountName(db, tenant) })
}

/** The meeting as a file for a calendar. It has the invitation's UID, so that a calendar shows one entry for both. */
export async function calendarFile(
  app: App,
  tenant: Tenant,
  { meeting, now }: { meeting: MeetingRow; now: Date },
): Promise<string> {
  const sender = await findMeetingSender(app.db, tenant, meeting.sendingAccountId)
  const hostName = (await findBookingSettings(app.db, tenant))?.hostName
  return writeCalendarFile({
    method: 'PUBLISH',
    ...toCalendarEntry(meeting),
    manageUrl: createManageUrl(app, tenant, meeting.id),
    organizer: sender && { email: sender.email, name: hostName ?? sender.fromName },
    attendees: [],
    stamp: now,
  })
}
