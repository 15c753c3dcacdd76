import { words } from '../platform/text/words.ts'

export const text = words('diagnosis', {
  title: 'What holds it back',
  finishes: (date: string) => `As things are it finishes ${date}.`,
  noEnd: 'As things are it does not finish within a year.',
  held: 'Waiting for',
  leads: (count: string) => (count === '1' ? '1 lead' : `${count} leads`),
  until: 'from',
  example: (detail: string) => `One of them: ${detail}`,
  nothingLeft: 'Nothing is left to be sent.',
  levers: 'What would lift it',
  noLever: 'No single change would bring the end nearer.',
  sooner: (date: string, days: string) => `Finishes ${date}, ${days === '1' ? '1 day' : `${days} days`} sooner.`,
  atAll: (date: string) => `Finishes ${date}.`,
  change: 'Change',
  partial: 'There is too much to look at all of it: this is of a part.',
  again: 'Look again',
  changes: {
    sendingAccountIds: (senders: string) => `Let ${senders} send, too`,
    windows: (from: string, to: string) => `Send for longer: ${to} instead of ${from}`,
    dailyLimit: (from: string, to: string) => `${to} messages per day instead of ${from}`,
    dailyNewLeadLimit: (from: string, to: string) => `${to} new leads per day instead of ${from}`,
    maxPerRecipientDomainPerDay: (from: string, to: string) => `${to} per recipient domain and day instead of ${from}`,
    senderStatus: (sender: string) => `Let ${sender} send again`,
    senderDailyLimit: (sender: string, from: string, to: string) =>
      `${to} messages per day from ${sender} instead of ${from}`,
    senderGap: (sender: string, from: string, to: string) =>
      `At most ${to} seconds between messages of ${sender} instead of ${from}`,
    other: (path: string, from: string, to: string) => `${path}: ${to} instead of ${from}`,
  },
})
