import type { groupDimensions } from '@overture/contract/vocabularies.ts'
import type { Report, ReportRun, SkippedReportRecipient } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

export type Dimension = (typeof groupDimensions)[number]

const dimensions: Readonly<Record<Dimension, string>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  weekday: 'day of the week',
  hour: 'hour of the day',
  campaign: 'campaign',
  sender: 'sender',
  step: 'step',
  variant: 'variant',
}
const intervals: Readonly<Record<Report['every'], string>> = {
  day: 'Every day',
  week: 'Every week',
  month: 'Every month',
}
const statuses: Readonly<Record<ReportRun['status'], string>> = {
  running: 'Running',
  sent: 'Sent',
  announced: 'Event',
  failed: 'Failed',
}
const reasons: Readonly<Record<SkippedReportRecipient['reason'], string>> = {
  disabled: 'the user is disabled',
  removed: 'the user was removed',
  role: 'the role of the user doesn’t include analytics',
  mail_failed: 'the mail server refused the mail every time',
  mail_uncertain: 'the mail may have been sent, so it is not sent again',
}

export const dimensionText = words('reportDimensions', dimensions)
export const intervalText = words('reportIntervals', intervals)
export const statusText = words('reportStatuses', statuses)
export const reasonText = words('reportSkipReasons', reasons)

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (day: number): string => `${day}${endings[ordinals.select(day)] ?? 'th'}`

export const text = words('reports', {
  title: 'Reports',
  lead: 'A report mails the numbers of your campaigns to users of the account, every day, week or month.',
  one: 'Report',
  list: 'Reports',
  add: 'New report',
  addButton: 'Create report',
  added: 'Report created',
  none: 'No reports yet',
  noneText: 'A report arrives in the inbox as a table and a chart.',
  noMail:
    'This server has no mail of its own. Reports appear as events until the operator of the server sets up system mail.',
  testMail: 'In the test environment, reports are not mailed. They appear as events, and run by the test clock.',
  showEvents: 'Show events',
  about: 'Schedule',
  name: 'Name',
  nameHint: 'The subject of the mail.',
  nameReason: 'Give the report a name.',
  what: 'Numbers',
  when: 'When',
  days: 'Days',
  nextRun: 'Next run',
  recipients: 'Recipients',
  active: 'Active',
  paused: 'Paused',
  numbersBy: (first: string) => `By ${first}`,
  numbersByTwo: (first: string, second: string) => `By ${first} and ${second}`,
  onlyCampaign: (name: string) => `only of the campaign “${name}”`,
  onlySender: (email: string) => `only of the sender ${email}`,
  daily: (time: string, zone: string) => `Every day at ${time}, ${zone}`,
  weekly: (weekday: string, time: string, zone: string) => `Every ${weekday} at ${time}, ${zone}`,
  monthly: (day: string, time: string, zone: string) => `Every month on ${day} at ${time}, ${zone}`,
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  monthDay: (day: number) => `the ${ordinal(day)}`,
  monthDayOrLast: (day: number) => `the ${ordinal(day)} or the last day`,
  since: 'The whole days since the report before',
  fixed: (range: string) => `Always ${range}`,
  range: (from: string, to: string) => `${from} to ${to}`,
  inZone: (days: string, zone: string) => `${days}, in ${zone}`,
  noRecipients: 'None. Each report appears as an event.',
  nameLoading: '…',
  otherCampaign: 'A campaign that is not in the list',
  otherSender: 'A sender that is not in the list',
  otherUser: 'A user who is not in the list',
  disabledUser: (name: string) => `${name} (disabled)`,
  lastRun: 'Last run',
  never: 'Has not run yet.',
  at: 'Started',
  numbersOf: 'Numbers of',
  running: (done: string, all: string) =>
    `${done} of ${all} recipients are done. A mail that the mail server refuses is tried again for up to an hour and a half.`,
  runningEvent: 'The report is being written.',
  progress: 'Progress of the report',
  sentTo: (names: string) => `Sent to ${names}.`,
  sentToRemoved: 'Sent to users who were removed.',
  announced: 'The report appeared as an event.',
  failed: (reason: string) => `The report failed. ${reason}`,
  skipped: 'Skipped',
  skippedOne: (name: string, reason: string) => `${name} was skipped: ${reason}.`,
  run: 'Run now',
  runStarted: 'Report started',
  runs: 'The report is running.',
  pause: 'Pause',
  pauseDone: 'Report paused',
  resume: 'Resume',
  resumeDone: 'Report resumed',
  edit: 'Edit',
  editTitle: 'Edit the report',
  save: 'Save',
  saved: 'Saved',
  remove: 'Delete',
  removeTitle: 'Delete this report?',
  removeText: 'No more reports are sent. A run that has begun mails no further recipient.',
  removed: 'Report deleted',
  by: 'Numbers by',
  then: 'and by',
  nothingElse: 'Nothing else',
  campaign: 'Campaign',
  allCampaigns: 'All campaigns',
  sender: 'Sender',
  allSenders: 'All senders',
  daysOf: 'Days of the numbers',
  daysChoices: { since: 'The whole days since the report before', fixed: 'Always the same days' },
  keepDays: (range: string) => `Always ${range}`,
  from: 'First day',
  to: 'Last day',
  daysReason: 'Enter the first and the last day.',
  every: 'How often',
  weekday: 'Day of the week',
  dayOfMonth: 'Day of the month',
  time: 'Time',
  zone: 'Time zone',
  zoneHint: 'The zone of the time and of the days of the numbers.',
  recipientsHint: 'Up to 20 users get the mail. If you choose none, the report appears as an event.',
})
