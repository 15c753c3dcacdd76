import { expect, test } from 'vitest'
import { lastingGate, namesIn, reasonText } from './verdict.ts'

const gate = (name: string, detail: string, until: string | null = null) =>
  ({ gate: name, passed: false, detail, until }) as Parameters<typeof reasonText>[0] & { passed: boolean; until: null }

test.each([
  ['The lead has no value for firstName, and there is no default.', 'the first name is missing'],
  ['The lead has no value for firstName, Plan, and there is no default.', 'the first name, Plan are missing'],
  ['Another sentence.', 'a value is missing'],
])('%s becomes: %s', (detail, reason) => {
  expect(reasonText(gate('missing_variable', detail))).toBe(reason)
})

test('reads the names of variables from the sentence of the gate', () => {
  expect(namesIn('The lead has no value for a, b.c, and there is no default.')).toEqual(['a', 'b.c'])
})

test('a gate that opens by itself is no lasting one', () => {
  const waiting = gate('wait_not_over', 'Step 2: a wait of 3 days.', '2027-01-04T09:00:00.000Z')
  const paused = gate('campaign_not_active', 'The campaign is paused.')
  expect(lastingGate({ gates: [waiting] })).toBeNull()
  expect(reasonText(lastingGate({ gates: [waiting, paused] })!)).toBe('the campaign is paused')
})
