import type { MeetingSource, MeetingStatus } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const statuses: Readonly<Record<MeetingStatus, string>> = {
  booked: 'Booked',
  rescheduled: 'Rescheduled',
  completed: 'Completed',
  canceled: 'Canceled',
  no_show: 'No-show',
}
const sources: Readonly<Record<MeetingSource, string>> = {
  booking_page: 'Booking page',
  calendar_invite: 'Invitation',
  cal_com: 'Cal.com',
  calendly: 'Calendly',
  manual: 'Manual',
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
  source: 'Source',
  change: 'Change',
  setTo: (status: string) => `Mark as ${status}`,
  none: 'No meetings yet',
  noneText: 'Booked meetings appear here. Put {{ meetingUrl }} into a step so that leads can choose a free time.',
  actions: 'Change status',
  enabled: 'Accept bookings',
  titleField: 'Meeting title',
  timezone: 'Time zone',
  duration: 'Duration in minutes',
  buffer: 'Minutes between meetings',
  notice: 'Minimum notice in minutes',
  ahead: 'Maximum days ahead',
  hostName: 'Host',
  hostEmail: 'Host email',
  joinUrl: 'Join link',
  page: 'Booking page',
  copyLink: 'Copy link',
  save: 'Save availability',
  saved: 'Availability saved',
  settings: 'Booking settings',
})
