import { words } from '../platform/text/words.ts'

export const text = words('diagnosis', {
  title: 'What slows it down',
  finishes: (date: string) => `At this pace the campaign finishes ${date}.`,
  noEnd: 'At this pace the campaign does not finish within a year.',
  held: 'Blocked leads',
  leads: (count: string) => (count === '1' ? '1 lead' : `${count} leads`),
  until: 'from',
  example: (detail: string) => `Example: ${detail}`,
  nothingLeft: 'No messages are left to send.',
  levers: 'Changes that would help',
  noLever: 'No single change would make it finish sooner.',
  missing: (count: string) =>
    `Give ${count === '1' ? '1 person' : `${count} people`} the missing value, or write a fallback into the text`,
  addValues: 'Add the values',
  setFallback: 'Set a fallback',
  sooner: (date: string, days: string) => `Finishes ${date}, ${days === '1' ? '1 day' : `${days} days`} sooner.`,
  atAll: (date: string) => `Finishes ${date}.`,
  change: 'Change',
  partial: 'This campaign is too large to check completely. The result covers a part of it.',
  again: 'Check again',
  changes: {
    sendingAccountIds: (senders: string) => `Add ${senders} as a sender`,
    windows: (from: string, to: string) => `Longer sending windows: ${to} instead of ${from}`,
    dailyLimit: (from: string, to: string) => `${to} messages per day instead of ${from}`,
    dailyNewLeadLimit: (from: string, to: string) => `${to} new leads per day instead of ${from}`,
    maxPerRecipientDomainPerDay: (from: string, to: string) => `${to} per recipient domain and day instead of ${from}`,
    senderStatus: (sender: string) => `Resume ${sender}`,
    senderDailyLimit: (sender: string, from: string, to: string) =>
      `${to} messages per day from ${sender} instead of ${from}`,
    senderGap: (sender: string, from: string, to: string) =>
      `At most ${to} seconds between messages from ${sender} instead of ${from}`,
    other: (path: string, from: string, to: string) => `${path}: ${to} instead of ${from}`,
  },
})
