import { words } from '../platform/text/words.ts'

export const text = words('forecast', {
  ready: 'Ready to launch',
  readyText: 'All checks passed.',
  before: 'Before you can launch',
  cures: {
    no_steps: 'Write a step',
    no_sending_accounts: 'Choose senders',
    sending_account_unavailable: 'Fix the sender',
    missing_postal_address: 'Add address',
    public_url_unreachable: 'Show how',
    schedule_never_opens: 'Change the schedule',
    preset_missing: 'Open steps',
    insufficient_credits: 'Buy credits',
  },
  cure: 'Fix',
  looking: 'Checking',
  lookingReason: 'The campaign is being checked.',
  capacity: (count: string) => `Up to ${count} messages per sending day.`,
  warnings: 'Warnings',
  look: 'View',
  calendar: 'Sending calendar',
  sentence: (messages: string, senders: string, end: string) => `${messages} messages from ${senders}. ${end}`,
  senders: (count: string) => (count === '1' ? '1 sender' : `${count} senders`),
  finishes: (date: string) => `Finishes ${date}.`,
  noEnd: 'It does not finish within the forecast.',
  nothing: 'No messages to send yet. Add steps, leads and senders.',
  day: 'Day',
  first: 'First',
  followUp: 'Follow-up',
  total: 'Total',
  never: 'Never',
  neverCount: (count: string, reason: string) => `${count}: ${reason}`,
  show: 'Show',
  launch: (count: string) => `Launch to ${count}`,
  launchNone: 'Add leads first.',
  launchBlocked: 'Fix the blockers first.',
  already: 'This campaign is already launched.',
  liveTitle: 'Launch in the live environment?',
  liveText: (count: string) =>
    `Real mail is sent to ${count === '1' ? '1 person' : `${count} people`}. Sent messages can’t be recalled.`,
  liveConfirm: 'Launch',
  launched: 'Campaign launched',
  computing: 'Computing the forecast',
  weekdays: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],
  blockers: 'Blockers',
  ahead: 'Upcoming sends',
  aheadNothing: (days: string) => `No sends in the next ${days} days.`,
  aheadSentence: (of: {
    planned: string
    days: string
    campaigns: string
    fullest: string
    count: string
    capacity: string
  }) =>
    `${of.planned} messages of ${of.campaigns === '1' ? '1 campaign' : `${of.campaigns} campaigns`} in the next ` +
    `${of.days} days. The busiest day is ${of.fullest} with ${of.count} of ${of.capacity} possible messages.`,
  aheadZone: (zone: string) => `Days are in ${zone}.`,
  aheadPartial: 'There are too many campaigns to check completely. The result covers a part of them.',
  aheadCampaigns: 'Upcoming sends by campaign',
  planned: 'Planned',
  couldSend: 'Capacity',
  campaign: 'Campaign',
  lastDay: 'Last day',
})
