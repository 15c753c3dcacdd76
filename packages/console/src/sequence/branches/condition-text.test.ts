import { interests } from '@overture/contract/vocabularies.ts'
import type { Interest } from '@overture/sdk'
import { expect, test } from 'vitest'
import { conditionText } from './condition-text.ts'
import type { AnyCondition } from './conditions.ts'

const names = {
  position: (key: string) => ({ hello: 1, call: 3 })[key],
  labels: Object.fromEntries(interests.map((one) => [one, one])) as Record<Interest, string>,
}

test.each<[AnyCondition, string]>([
  [{ did: 'opened' }, 'opened a message'],
  [{ did: 'opened', stepId: 'hello', withinHours: 24 }, 'opened a message (step 1), within 24 hours'],
  [
    { did: 'clicked', url: 'https://example.com/*', times: 2 },
    'clicked a link https://example.com/*, at least 2 times',
  ],
  [{ did: 'replied', stepId: 'lost' }, 'replied (a removed step)'],
  [{ interest: ['interested', null] }, 'label: interested or No label'],
  [{ intent: ['question'] }, 'reply: asks a question'],
  [{ field: 'customVariables.plan', is: 'in', value: ['gold', 'silver'] }, 'plan is one of gold, silver'],
  [{ field: 'company', is: 'missing' }, 'company has no value'],
  [{ signal: 'crm.deal_won', withinDays: 7 }, 'signal crm.deal_won, within 7 days'],
  [{ task: 'call', outcome: ['no_answer', 'skipped'] }, 'task of step 3: No answer or Skipped or expired'],
  [{ chance: 30 }, '30 percent of leads'],
  [{ not: { did: 'replied' } }, 'not: replied'],
  [
    { all: [{ did: 'opened' }, { any: [{ chance: 5 }, { field: 'city', is: 'exists' }] }] },
    'opened a message and (5 percent of leads or city has a value)',
  ],
  [{ not: { all: [{ did: 'opened' }, { did: 'replied' }] } }, 'not: (opened a message and replied)'],
])('%j is “%s”', (condition, expected) => {
  expect(conditionText(condition, names)).toBe(expected)
})
