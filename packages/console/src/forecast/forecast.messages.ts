import { words } from '../platform/text/words.ts'

export const text = words('forecast', {
  ready: 'Ready to launch',
  readyText: 'Nothing is in the way.',
  before: 'Before you can launch',
  cures: {
    no_steps: 'Write a step',
    no_sending_accounts: 'Choose senders',
    sending_account_unavailable: 'Fix the sender',
    missing_postal_address: 'Add',
    public_url_unreachable: 'How to',
    schedule_never_opens: 'Change the schedule',
    preset_missing: 'Steps',
    insufficient_credits: 'Credits',
  },
  cure: 'Fix',
  looking: 'Looking it over',
  lookingReason: 'It is being looked over.',
  capacity: (count: string) => `Up to ${count} messages on an open day.`,
  warnings: 'Worth knowing',
  look: 'Look',
  calendar: 'What leaves when',
  sentence: (messages: string, senders: string, end: string) => `${messages} messages from ${senders}. ${end}`,
  senders: (count: string) => (count === '1' ? '1 sender' : `${count} senders`),
  finishes: (date: string) => `Finishes ${date}.`,
  noEnd: 'It does not finish within the time of this forecast.',
  nothing: 'Nothing would leave: add steps, leads and senders.',
  day: 'Day',
  first: 'First',
  followUp: 'Follow-up',
  total: 'Total',
  never: 'Never',
  neverCount: (count: string, reason: string) => `${count}: ${reason}`,
  show: 'Show',
  launch: (count: string) => `Launch to ${count}`,
  launchNone: 'Add leads first.',
  launchBlocked: 'Something is in the way.',
  already: 'This campaign has been launched.',
  liveTitle: 'Launch in live?',
  liveText: (count: string) =>
    `Real mail goes to ${count === '1' ? '1 person' : `${count} people`} in live. What has left can’t be taken back.`,
  liveConfirm: 'Launch',
  launched: 'It is launched',
  computing: 'Computing the forecast',
  weekdays: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'],
  blockers: 'In the way',
  ahead: 'What leaves next',
  aheadNothing: (days: string) => `Nothing leaves within ${days} days.`,
  aheadSentence: (of: {
    planned: string
    days: string
    campaigns: string
    fullest: string
    count: string
    capacity: string
  }) =>
    `${of.planned} messages of ${of.campaigns === '1' ? '1 campaign' : `${of.campaigns} campaigns`} leave within ` +
    `${of.days} days. The fullest is ${of.fullest}: ${of.count} of ${of.capacity} that the senders could send.`,
  aheadZone: (zone: string) => `Days of ${zone}.`,
  aheadPartial: 'There is too much to look at all of it: this is of a part.',
  aheadCampaigns: 'What leaves next, by campaign',
  planned: 'Planned',
  couldSend: 'Could be sent',
  campaign: 'Campaign',
  lastDay: 'Last day',
})
