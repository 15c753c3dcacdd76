import type { MeetingSource, MeetingStatus } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const statuses: Readonly<Record<MeetingStatus, string>> = {
  booked: 'Booked',
  rescheduled: 'Moved',
  completed: 'Held',
  canceled: 'Canceled',
  no_show: 'Nobody came',
}
const sources: Readonly<Record<MeetingSource, string>> = {
  booking_page: 'Booking page',
  calendar_invite: 'Invitation',
  cal_com: 'Cal.com',
  calendly: 'Calendly',
  manual: 'By hand',
}

export const statusText = words('meetingStatuses', statuses)
export const sourceText = words('meetingSources', sources)

export const text = words('meetings', {
  title: 'Meetings',
  tabs: { list: 'Meetings', availability: 'Availability' },
  tabList: 'Meetings',
  list: 'Meetings',
  what: 'Meeting',
  when: 'When',
  who: 'With',
  status: 'Status',
  source: 'Booked by',
  change: 'Change',
  setTo: (status: string) => `Mark as ${status}`,
  none: 'No meetings yet',
  noneText: 'Put {{ meetingUrl }} into a step: whoever opens it chooses a free time.',
  actions: 'Change status',
  enabled: 'People can book',
  titleField: 'Title of the meeting',
  timezone: 'Time zone',
  duration: 'Minutes',
  buffer: 'Minutes between meetings',
  notice: 'Minutes of notice',
  ahead: 'Days ahead, at most',
  hostName: 'Host',
  hostEmail: 'Host’s e-mail',
  joinUrl: 'Link to join',
  page: 'Booking page',
  copyLink: 'Copy link',
  save: 'Save availability',
  saved: 'The availability is saved',
  settings: 'What can be booked',
})
