import { writeCalendarFile, formatMeetingTime, type Invitation } from '@overture/mail-reading/calendars/invitation.ts'

/** A confirmation asks the owner of an address whether they entered it. */
export const noticeKinds = ['confirmation', 'booked', 'rescheduled', 'canceled', 'reminder'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export type MeetingNoticeKind = Exclude<NoticeKind, 'confirmation'>

interface Notice {
  subject: string
  text: string
  /** The calendar part; a reminder has none. */
  ics: { filename: string; contentType: string; content: string } | null
}

/** An invitation that names its sender. */
type InvitationFrom = Invitation & { organizer: NonNullable<Invitation['organizer']> }

/** The mail about a meeting, in the attendee's zone. */
export function writeNotice(kind: MeetingNoticeKind, invitation: InvitationFrom): Notice {
  const when = formatMeetingTime(invitation.startAt, invitation.timezone)
  return {
    subject: writeSubject(kind, invitation.title, when),
    text: writeBody(kind, invitation, when),
    ics: kind === 'reminder' ? null : writeAttachment(invitation),
  }
}

function writeSubject(kind: MeetingNoticeKind, title: string, when: string): string {
  switch (kind) {
    case 'booked':
      return `Invitation: ${title}, ${when}`
    case 'rescheduled':
      return `New time: ${title}, ${when}`
    case 'canceled':
      return `Canceled: ${title}, ${when}`
    case 'reminder':
      return `Reminder: ${title}, ${when}`
  }
}

function writeBody(kind: MeetingNoticeKind, invitation: InvitationFrom, when: string): string {
  const lines = [`${invitation.title}`, when, `With ${invitation.organizer.name}`]
  if (kind === 'canceled') return [...lines, '', 'This meeting was canceled.'].join('\n')
  if (invitation.joinUrl) lines.push(`Join: ${invitation.joinUrl}`)
  if (invitation.manageUrl) lines.push('', `Move or cancel: ${invitation.manageUrl}`)
  return lines.join('\n')
}

function writeAttachment(invitation: InvitationFrom): Notice['ics'] {
  const contentType = `text/calendar; method=${invitation.method}; charset=utf-8`
  return { filename: 'invite.ics', contentType, content: writeCalendarFile(invitation) }
}
