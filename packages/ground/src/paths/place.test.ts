import { describe, expect, test } from 'vitest'
import type { PathStep } from './path.ts'
import { firstMessages, isPlain } from './path.ts'
import { placeAfterChange, type StepDone } from './place.ts'

function sequence(...steps: (Partial<PathStep> & { id: string })[]): PathStep[] {
  return steps.map((step, index) => ({
    type: step.branches === undefined ? 'email' : 'branch',
    then: null,
    branches: [],
    ...step,
    position: index + 1,
  }))
}

const way = (id: string, goTo: string | null) => ({ id, label: id, goTo })
const sent = (stepId: string): StepDone => ({ stepId, branchId: null, goesTo: null })
const forked = sequence(
  { id: 'hello' },
  { id: 'fork', branches: [way('opened', 'fast')], then: 'slow' },
  { id: 'fast', then: 'end' },
  { id: 'slow' },
)
const at = (steps: readonly PathStep[], id: string) => steps.find((step) => step.id === id) ?? null

function placeOf(done: StepDone[], waitsAt: string | null, after: PathStep[]) {
  const { last, next, voided } = placeAfterChange(
    { done, waitsAt: waitsAt === null ? null : at(forked, waitsAt) },
    { before: forked, after },
  )
  return [last?.id ?? null, next?.id ?? null, voided]
}

describe("a lead's place in a changed sequence", () => {
  test('stays the same if the path still exists', () => {
    expect(placeOf([sent('hello')], 'fork', forked)).toEqual(['hello', 'fork', false])
    const decided = { stepId: 'fork', branchId: 'opened', goesTo: 'fast' }
    expect(placeOf([sent('hello'), decided], 'fast', forked)).toEqual(['fork', 'fast', false])
  })

  test('moves to the default path if its branch was removed', () => {
    expect(placeOf([sent('hello')], 'fork', sequence({ id: 'hello' }, { id: 'fast' }, { id: 'slow' }))).toEqual([
      'hello',
      'slow',
      false,
    ])
  })

  test('of a decision for a removed step continues as if no branch had matched', () => {
    const after = sequence(
      { id: 'hello' },
      { id: 'fork', branches: [way('opened', 'slow')], then: 'slow' },
      { id: 'slow' },
    )
    const decided = { stepId: 'fork', branchId: 'opened', goesTo: 'fast' }
    expect(placeOf([sent('hello'), decided], 'fast', after)).toEqual(['fork', 'slow', true])
  })

  test('is the end for a lead that a branch sent there or elsewhere, even if that branch is gone', () => {
    const after = sequence({ id: 'hello' }, { id: 'slow' }, { id: 'more' })
    for (const goesTo of ['end', 'cmp_other'])
      for (const later of [forked, after])
        expect(placeOf([sent('hello'), { stepId: 'fork', branchId: 'opened', goesTo }], null, later)[1]).toBeNull()
  })

  test('is the end for a lead sent to the end, and the next step for one that ran out of steps', () => {
    const longer = [...forked, ...sequence({ id: 'more' })].map((step, index) => ({ ...step, position: index + 1 }))
    const toEnd = { stepId: 'fork', branchId: 'opened', goesTo: 'end' }
    expect(placeOf([sent('hello'), toEnd], null, longer)).toEqual(['fork', null, false])
    expect(placeOf([sent('hello'), sent('slow')], null, longer)).toEqual(['slow', 'more', false])
    expect(placeOf([sent('hello'), sent('fast')], null, longer)).toEqual(['fast', null, false])
  })

  test('is after the last remaining step', () => {
    expect(placeOf([sent('hello'), sent('slow')], null, sequence({ id: 'hello' }, { id: 'new' }))).toEqual([
      'hello',
      'new',
      false,
    ])
  })
})

describe('paths', () => {
  test('have the messages that can be the first', () => {
    const steps = sequence(
      { id: 'fork', branches: [way('a', 'late')] },
      { id: 'early' },
      { id: 'between' },
      { id: 'late' },
    )
    expect(firstMessages(steps).map((step) => step.id)).toEqual(['early', 'late'])
    expect(isPlain(forked)).toBe(false)
    expect(isPlain(sequence({ id: 'a' }, { id: 'b' }))).toBe(true)
  })
})
