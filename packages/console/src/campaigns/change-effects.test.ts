import type { CampaignDryRun, Forecast, Step } from '@overture/sdk'
import { expect, test } from 'vitest'
import { effectSentences, isQuiet } from './change-effects.ts'

const steps = ['stp_1', 'stp_2'].map((id) => ({ id }) as Step)
const forecast = (first: number, finishesOn: string | null): Forecast => ({
  days: [{ date: '2026-11-23', first, followUp: 1, bySender: [] }],
  finishesOn,
  unscheduled: [],
  assumes: 'leads_do_nothing',
  byBranch: [],
  handedOver: 0,
  arrivals: 0,
})
const dryRunOf = (effects: Partial<CampaignDryRun['effects']>, after = forecast(2, '2026-11-23')): CampaignDryRun => ({
  campaign: { steps: [steps[0], { id: 'stp_new' }] } as CampaignDryRun['campaign'],
  effects: {
    moved: [],
    reopened: 0,
    completed: 0,
    rescheduled: 0,
    decisionsVoided: 0,
    tasksCanceled: 0,
    sample: [],
    ...effects,
  },
  forecastBefore: forecast(2, '2026-11-23'),
  forecastAfter: after,
})

test('a change without effect on leads and forecast needs no confirmation', () => {
  expect(isQuiet(dryRunOf({}))).toBe(true)
  expect(isQuiet(dryRunOf({ rescheduled: 1 }))).toBe(false)
  expect(isQuiet(dryRunOf({ moved: [{ fromStepId: null, toStepId: 'stp_1', count: 1 }] }))).toBe(false)
  expect(isQuiet(dryRunOf({}, forecast(3, '2026-11-23')))).toBe(false)
  expect(isQuiet(dryRunOf({}, forecast(2, null)))).toBe(false)
})

test('every effect of a change is a sentence with its number', () => {
  const moved = [
    { fromStepId: 'stp_2', toStepId: 'stp_new', count: 12 },
    { fromStepId: null, toStepId: 'stp_new', count: 1 },
    { fromStepId: 'stp_2', toStepId: null, count: 3 },
  ]
  expect(effectSentences({ steps }, dryRunOf({ moved, reopened: 1, decisionsVoided: 2 }, forecast(5, null)))).toEqual([
    '12 leads get step 2 next instead of the old step 2.',
    '1 lead continues with step 2.',
    '3 leads have no next message anymore instead of the old step 2.',
    '1 lead that had completed continues.',
    '2 branch decisions are discarded because their step was removed.',
    '6 upcoming messages instead of 3.',
    'It finishes on a day beyond the forecast instead of Mon, 23 Nov 2026.',
  ])
  expect(effectSentences({ steps }, dryRunOf({}))[0]).toBe('The next step of every lead stays the same.')
  const nothing = { ...forecast(0, null), days: [] }
  expect(effectSentences({ steps }, dryRunOf({}, nothing)).at(-1)).toBe('No messages are left to send.')
  const fromNothing = { ...dryRunOf({}), forecastBefore: nothing }
  expect(effectSentences({ steps }, fromNothing).at(-1)).toBe('It finishes on Mon, 23 Nov 2026.')
})
