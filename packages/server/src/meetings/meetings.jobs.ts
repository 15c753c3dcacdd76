import type { JobHandler } from '../platform/jobs/job.ts'
import { lockMeeting } from './meetings.sql.ts'
import { recordCompleted, sendReminder } from './booking/meeting-moves.commands.ts'
import type { MeetingTools } from './notices/notices.commands.ts'

/** Completes meetings when they are over, and sends reminders before. A job for an outdated time does nothing. */
export function meetingJobs(tools: MeetingTools): JobHandler[] {
  return [
    {
      kind: 'meeting.complete',
      maxAttempts: 10,
      rowsOnly: true,
      run: ({ app, tenant, now }, payload) =>
        app.db.transaction(async (tx) => {
          const meeting = await lockMeeting(tx, tenant, String(payload.meetingId))
          if (!meeting || !['booked', 'rescheduled'].includes(meeting.status)) return
          if (meeting.endAt.toISOString() === payload.endAt)
            await recordCompleted(tx, tenant, { meeting, now, byPerson: false })
        }),
    },
    {
      kind: 'meeting.remind',
      maxAttempts: 5,
      rowsOnly: true,
      run: ({ app, tenant, now }, payload) =>
        app.db.transaction(async (tx) => {
          const meeting = await lockMeeting(tx, tenant, String(payload.meetingId))
          if (!meeting || !['booked', 'rescheduled'].includes(meeting.status) || meeting.startAt <= now) return
          if (meeting.startAt.toISOString() === payload.startAt)
            await sendReminder(tools, tx, tenant, { meeting, minutes: Number(payload.minutes ?? 0), now })
        }),
    },
  ]
}
