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
  noneFit: 'No meetings match',
  noneFitText: 'Choose another tag.',
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
  calendar: 'Your calendar',
  calendarWhy: 'Hours at which your calendar is busy are not offered on the booking page.',
  calendarUrl: 'Calendar address',
  calendarHint: 'An https address that ends in .ics. It is kept secret and never shown again.',
  calendarConnect: 'Connect calendar',
  calendarConnected: 'Calendar connected',
  calendarRemove: 'Disconnect',
  calendarRemoved: 'Calendar disconnected',
  calendarFrom: (host: string) => `Connected to ${host}.`,
  calendarTimes: (count: string) => (count === '1' ? '1 busy time' : `${count} busy times`),
  calendarRead: 'Last read',
  calendarFound: 'Found',
  calendarWaiting: 'Not read yet. This takes up to a minute.',
  calendarTest: 'No calendar is read in Test. Connect yours in Live.',
  calendarHow: 'Where do I find this address?',
  calendarPlaces: [
    'Google Calendar: Settings, choose your calendar, “Integrate calendar”, “Secret address in iCal format”.',
    'Outlook on the web: Settings, Calendar, “Shared calendars”, “Publish a calendar”, then copy the ICS link.',
    'iCloud: share the calendar as a “Public Calendar” and copy its link. Anyone who has the link can read it.',
  ],
})
