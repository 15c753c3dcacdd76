import { words } from '../platform/text/words.ts'

const leads = (count: string, one: string, many: string): string =>
  count === '1' ? `1 lead ${one}` : `${count} leads ${many}`

export const text = words('changeEffects', {
  title: 'Effects of this change',
  moved: (count: string, from: string, to: string) =>
    `${count === '1' ? '1 lead gets' : `${count} leads get`} ${to} next instead of ${from}.`,
  begins: (count: string, to: string) => `${leads(count, 'continues', 'continue')} with ${to}.`,
  ends: (count: string, from: string) => `${leads(count, 'has', 'have')} no next message anymore instead of ${from}.`,
  step: (position: string) => `step ${position}`,
  goneStep: (position: string) => `the old step ${position}`,
  nothing: 'nothing',
  reopened: (count: string) => `${leads(count, 'that had completed continues', 'that had completed continue')}.`,
  rescheduled: (count: string) => `${leads(count, 'gets', 'get')} the same step at another time.`,
  decisionsVoided: (count: string) =>
    `${count === '1' ? '1 branch decision is' : `${count} branch decisions are`} discarded because their step was removed.`,
  tasksCanceled: (count: string) => `${count === '1' ? '1 open task is' : `${count} open tasks are`} canceled.`,
  unchanged: 'The next step of every lead stays the same.',
  messages: (before: string, after: string) =>
    before === after ? `${after} upcoming messages, as before.` : `${after} upcoming messages instead of ${before}.`,
  finishes: (date: string) => `It finishes on ${date}, as before.`,
  finishesInstead: (after: string, before: string) => `It finishes on ${after} instead of ${before}.`,
  finishesNow: (date: string) => `It finishes on ${date}.`,
  finished: 'No messages are left to send.',
  noEnd: 'a day beyond the forecast',
  examples: 'Examples',
  example: (before: string, after: string) => `${before}; then ${after}`,
  place: (step: string, time: string) => (time === '' ? step : `${step} on ${time}`),
  live: 'This campaign is live.',
  apply: 'Apply',
  pauseAndApply: 'Pause, apply and resume',
  pauses: 'Steps can’t change while a campaign runs. It is paused for a moment and then resumed with the new steps.',
  notApplied: 'The change was not applied. The campaign is paused and its steps are unchanged.',
  applied: 'Change applied',
  save: 'Save',
})
