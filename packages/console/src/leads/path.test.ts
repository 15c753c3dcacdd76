import type { Step } from '@overture/sdk'
import { expect, test } from 'vitest'
import { stepsAhead } from './path.ts'

const step = (id: string, then: string | null = null, type: Step['type'] = 'email'): Step => ({
  id,
  position: 1,
  type,
  key: null,
  waitBefore: { value: 0, unit: 'days' },
  then,
  sameThread: true,
  variantSelection: 'weighted',
  variants: [],
  branches: [],
  channel: null,
  title: null,
  instructions: null,
  assigneeId: null,
  dueIn: null,
  blocks: null,
  expiresIn: null,
  byHand: false,
})

test('the path ahead ends at the next undecided branch', () => {
  const steps = [step('1'), step('2', '4'), step('3'), step('4'), step('5', 'end', 'branch'), step('6')]
  const ids = (stepId: string, leadsTo: string | null = null) =>
    stepsAhead(steps, { stepId, leadsTo }).map(({ id }) => id)
  expect(ids('1')).toEqual(['2', '4', '5'])
  expect(ids('5')).toEqual([])
  expect(ids('5', '6')).toEqual(['6'])
  expect(ids('5', 'end')).toEqual([])
})
