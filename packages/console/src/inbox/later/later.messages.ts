import { words } from '../../platform/text/words.ts'

export const text = words('inboxLater', {
  choices: { today: 'Later today', tomorrow: 'Tomorrow', nextWeek: 'Next week' },
  choice: (name: string, time: string) => `${name}: ${time}`,
  date: 'Choose a date…',
  dateReason: 'Choose a date and a time first.',
  pastReason: 'Choose a time in the future.',
  moment: 'Date and time',
  momentHint: (zone: string) => `In the time zone ${zone}.`,
  snooze: 'Snooze',
  snoozeTitle: 'Snooze until',
  snoozed: (time: string) => `Snoozed until ${time}`,
  endSnooze: 'End snooze',
  snoozeEnded: 'Snooze ended',
})
