import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  indented,
  movedStep,
  outdented,
  outlineSteps,
  pathEnd,
  withoutStep,
  withStepAfter,
  withStepInArm,
  type FlowStep,
  type Way,
} from './flow.ts'

const email = (key: string, then: Way = null): FlowStep => ({ key, type: 'email', then, branches: [] })
const branch = (key: string, ways: Way[], then: Way = null): FlowStep => ({
  key,
  type: 'branch',
  then,
  branches: ways.map((goTo) => ({ goTo })),
})
const depths = (steps: readonly FlowStep[]) => {
  const outline = outlineSteps(steps)
  return steps.map(({ key }) => `${key}${outline.get(key)!.arms.length}`).join(' ')
}

/** Two paths, `a` then `b`, and `c`, which meet at `d`. */
const forked = [email('1'), branch('2', ['a'], 'c'), email('a'), email('b', 'd'), email('c'), email('d')]

test("a step's indent is the number of branch paths that it is in", () => {
  expect(depths(forked)).toBe('10 20 a1 b1 c1 d0')
  expect(outlineSteps(forked).get('c')!.arms).toEqual([{ step: '2', exit: 1 }])
  const nested = [branch('1', ['x']), email('o', pathEnd), branch('x', ['y'], pathEnd), email('y')]
  expect(depths(nested)).toBe('10 o1 x1 y2')
  expect([...outlineSteps(nested).values()].map(({ first }) => first)).toEqual([false, true, false, true])
  expect(outlineSteps([email('1', pathEnd), email('2')]).get('2')!.reached).toBe(false)
})

test('indenting moves the step behind a branch into its first path, and outdenting moves it out', () => {
  const steps = [email('1'), branch('2', [null]), email('3'), email('4')]
  const inside = indented(steps, '3')!
  expect(inside[1]).toMatchObject({ branches: [{ goTo: null }], then: '4' })
  expect(depths(inside)).toBe('10 20 31 40')
  expect(outdented(inside, '3')).toEqual(steps)
  const last = indented(steps.slice(0, 3), '3')!
  expect(last[1]).toMatchObject({ branches: [{ goTo: null }], then: pathEnd })
  const both = indented(inside, '4')!
  expect(depths(both)).toBe('10 20 31 41')
  expect(indented(steps, '1')).toBeNull()
  expect(indented(inside, '3')).toBeNull()
  expect(outdented(steps, '3')).toBeNull()
})

test('references to a removed step point to its next step', () => {
  expect(withoutStep(forked, 'a')[1]).toMatchObject({ branches: [{ goTo: null }], then: 'c' })
  expect(withoutStep(forked, 'd').map(({ then }) => then)).toEqual([null, 'c', null, pathEnd, null])
})

test('a step is added after another or as the first of a path', () => {
  const first = withStepInArm(forked, { step: '2', exit: 1 }, email('n'))
  expect(depths(first)).toBe('10 20 a1 b1 n1 c1 d0')
  const behind = withStepAfter(forked, 'b', email('n'))
  expect(behind.map(({ key, then }) => [key, then]).slice(3, 5)).toEqual([
    ['b', null],
    ['n', 'd'],
  ])
  expect(withStepAfter([email('1')], null, email('2'))).toEqual([email('1'), email('2')])
  expect(withStepAfter([], null, email('1'))).toEqual([email('1')])
})

test('two steps of a path swap places, and the branch points to the new first one', () => {
  const moved = movedStep(forked, 'b', -1)!
  expect(moved.map(({ key }) => key).join('')).toBe('12bacd')
  expect(moved[1]).toMatchObject({ branches: [{ goTo: null }], then: 'c' })
  expect(depths(moved)).toBe('10 20 b1 a1 c1 d0')
  expect(movedStep(moved, 'b', 1)).toEqual(movedStep(moved, 'a', -1))
  expect(movedStep(forked, '1', -1)).toBeNull()
})

const sequences = fc
  .array(fc.record({ ways: fc.array(fc.nat(), { maxLength: 3 }), then: fc.nat() }), { minLength: 1, maxLength: 7 })
  .map((drawn): FlowStep[] =>
    drawn.map(({ ways, then }, at) => {
      const later: Way[] = [null, pathEnd, ...drawn.map((_none, index) => `s${index}`).slice(at + 1)]
      const way = (chosen: number): Way => later[chosen % later.length] ?? null
      return ways.length === 0 ? email(`s${at}`, way(then)) : branch(`s${at}`, ways.map(way), way(then))
    }),
  )

test('after any edit paths lead forward, and no step is lost or repeated', () => {
  fc.assert(
    fc.property(sequences, fc.nat(), fc.nat(), (steps, chosen, which) => {
      const { key, branches } = steps[chosen % steps.length]!
      const added = email('new')
      const results = [
        withoutStep(steps, key),
        withStepAfter(steps, key, added),
        withStepInArm(steps, { step: key, exit: which % (branches.length + 1) }, added),
        movedStep(steps, key, -1),
        movedStep(steps, key, 1),
        indented(steps, key),
        outdented(steps, key),
      ]
      const keys = steps.map((step) => step.key).toSorted()
      const expected = [keys.filter((one) => one !== key), [...keys, 'new'], [...keys, 'new'], keys, keys, keys, keys]
      results.forEach((result, at) => {
        if (result === null) return
        expect(result.map((step) => step.key).toSorted()).toEqual(expected[at]!.toSorted())
        const places = new Map(result.map((step, index) => [step.key, index]))
        for (const [index, step] of result.entries())
          for (const way of [step.then, ...step.branches.map(({ goTo }) => goTo)])
            if (way !== null && way !== pathEnd) expect(places.get(way)).toBeGreaterThan(index)
      })
    }),
    { numRuns: 500 },
  )
})
