import { words } from '../platform/text/words.ts'

const leads = (count: string, one: string, many: string): string =>
  count === '1' ? `1 lead ${one}` : `${count} leads ${many}`

export const text = words('changeEffects', {
  title: 'What this change would do',
  moved: (count: string, from: string, to: string) =>
    `For ${count === '1' ? '1 lead' : `${count} leads`} ${to} comes next instead of ${from}.`,
  begins: (count: string, to: string) => `${leads(count, 'goes', 'go')} on with ${to}.`,
  ends: (count: string, from: string) =>
    `For ${count === '1' ? '1 lead' : `${count} leads`} nothing is left; ${from} came next.`,
  step: (position: string) => `step ${position}`,
  goneStep: (position: string) => `step ${position} of before`,
  nothing: 'nothing',
  reopened: (count: string) => `${leads(count, 'that had completed goes', 'that had completed go')} on.`,
  rescheduled: (count: string) => `${leads(count, 'waits', 'wait')} for the same step until another time.`,
  decisionsVoided: (count: string) =>
    `${count === '1' ? '1 decision falls' : `${count} decisions fall`} away, for the step that it led to is gone.`,
  tasksCanceled: (count: string) => `${count === '1' ? '1 open task is' : `${count} open tasks are`} canceled.`,
  nobody: 'No lead’s next step changes.',
  messages: (before: string, after: string) =>
    before === after ? `${after} messages are ahead, as before.` : `${after} messages are ahead instead of ${before}.`,
  finishes: (date: string) => `It finishes on ${date}, as before.`,
  finishesInstead: (after: string, before: string) => `It finishes on ${after} instead of ${before}.`,
  finishesNow: (date: string) => `It finishes on ${date}.`,
  finished: 'Nothing is left to be sent.',
  noEnd: 'a day that is too far to see',
  examples: 'Examples',
  example: (before: string, after: string) => `${before}; then ${after}`,
  place: (step: string, time: string) => (time === '' ? step : `${step} on ${time}`),
  live: 'This campaign is live.',
  apply: 'Apply',
  pauseAndApply: 'Pause, apply and go on',
  pauses: 'Steps can’t change while it runs: it is paused for a moment, and goes on with them.',
  notApplied: 'It was not applied: the campaign is paused, with its steps as they were.',
  applied: 'The change is applied',
  save: 'Save',
})
