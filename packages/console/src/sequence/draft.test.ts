import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionFields } from '@overture/contract/campaigns/conditions.ts'
import type { Step } from '@overture/sdk'
import {
  toDraft,
  idsGiven,
  idsIn,
  isHalfWritten,
  newBranchStep,
  newStep,
  newVariant,
  withIds,
  withoutBlank,
  type StepDraft,
  type VariantDraft,
} from './draft.ts'
import { toStepInputs } from './draft-input.ts'
import { withStepInArm } from './branches/flow.ts'
import { leadFields } from './variables.ts'

const saved = (key: string): VariantDraft => ({ ...newVariant(key, 0), id: key, body: `Text of ${key}` })
const steps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }).map((counts): StepDraft[] =>
  counts.map((count, at) => ({
    ...newStep(`s${at}`, at === 0),
    id: `s${at}`,
    variants: Array.from({ length: count }, (_none, index) => saved(`s${at}v${index}`)),
  })),
)

test('new steps and variants without a text are not sent, and the rest is unchanged', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), fc.constantFrom('', ' ', '\n'), (draft, stepAt, variantAt, body) => {
      const blank = { ...newStep('new', draft.length === 0), variants: [{ ...newVariant('blank', 0), body }] }
      const place = stepAt % (draft.length + 1)
      const more = draft.toSpliced(place, 0, blank).map((step, at) => {
        if (at === place) return step
        const within = variantAt % (step.variants.length + 1)
        return { ...step, variants: step.variants.toSpliced(within, 0, { ...newVariant(`b${at}`, 0), body }) }
      })
      expect(toStepInputs(withoutBlank(more))).toEqual(toStepInputs(draft))
      expect(isHalfWritten(more)).toBe(false)
    }),
  )
})

test('texts are sent, also emptied ones; a subject without a text is not saved and is reported', () => {
  const [step] = withoutBlank([newStep('one', true)])
  expect(step).toBeUndefined()
  const draftWith = (changes: Partial<VariantDraft>): StepDraft[] => [
    { ...newStep('one', true), variants: [{ ...newVariant('v', 0), ...changes }] },
  ]
  expect(withoutBlank(draftWith({ body: 'Hello' }))).toHaveLength(1)
  expect(withoutBlank(draftWith({ id: 'var_1', body: '' }))).toHaveLength(1)
  expect(withoutBlank(draftWith({ subject: 'Hello' }))).toHaveLength(0)
  expect(isHalfWritten(draftWith({ subject: 'Hello' }))).toBe(true)
  expect(isHalfWritten(draftWith({ subject: 'Hello', body: 'Text' }))).toBe(false)
})

const stored = (facts: Partial<Step> & { id: string }): Step => ({
  position: 1,
  type: 'email',
  key: null,
  waitBefore: { value: 0, unit: 'days' },
  then: null,
  sameThread: false,
  variantSelection: 'weighted',
  variants: facts.type === 'branch' ? [] : [{ ...saved(`${facts.id}v`), id: `${facts.id}v` }],
  branches: [],
  channel: null,
  title: null,
  instructions: null,
  assigneeId: null,
  dueIn: null,
  blocks: null,
  expiresIn: null,
  byHand: false,
  ...facts,
})

test('a branch is sent back with its conditions, targets and ids', () => {
  const when = { any: [{ did: 'opened' as const, stepId: 'one' }, { not: { chance: 30 } }] }
  const ways = [{ id: 'brn_1', label: 'Opened', when, goTo: 'four', immediately: false }]
  const steps = [
    stored({ id: 'one' }),
    stored({ id: 'two', type: 'branch', then: 'end', branches: ways }),
    stored({ id: 'three' }),
    stored({ id: 'four', then: 'end' }),
  ]
  const sent = toStepInputs(toDraft(steps))
  expect(sent[1]).toEqual({
    id: 'two',
    type: 'branch',
    waitBefore: { value: 0, unit: 'days' },
    then: 'end',
    branches: ways,
  })
  expect(sent.map(({ then }) => then)).toEqual([null, 'end', null, 'end'])
})

test('a new step is referenced by its key until it has an id; one without a text is skipped', () => {
  const key = '0a1b2c3d-aaaa'
  const draft = [
    ...toDraft([stored({ id: 'one' })]),
    newBranchStep('branch', false, { chance: 50 }),
    ...toDraft([stored({ id: 'two' })]),
  ]
  const blank = withStepInArm(draft, { step: 'branch', exit: 0 }, newStep(key, false))
  expect(toStepInputs(withoutBlank(blank))).toEqual(toStepInputs(draft))
  const written = blank.map((step) =>
    step.key === key ? { ...step, then: 'end', variants: [{ ...newVariant('v', 0), body: 'Text' }] } : step,
  )
  // A branch leads to the new step, so the step needs a name in the request.
  const asking = written.map((step) => (step.key === 'two' ? { ...step, then: null } : step))
  const named = asking.map((step) =>
    step.type === 'branch' ? { ...step, branches: step.branches.map((one) => ({ ...one, goTo: key })) } : step,
  )
  const [, branch, added] = toStepInputs(withoutBlank(named))
  expect(branch!.branches![0]!.goTo).toBe('step-0a1b2c3d')
  expect(added).toMatchObject({ key: 'step-0a1b2c3d', then: 'end' })
  const answered = [
    stored({ id: 'one' }),
    stored({
      id: 'stp_b',
      type: 'branch',
      branches: [{ id: 'brn_1', label: 'A', when: { chance: 50 }, goTo: 'stp_n', immediately: false }],
    }),
    stored({ id: 'stp_n' }),
    stored({ id: 'two' }),
  ]
  const given = new Map(idsGiven(named, answered))
  const after = withIds(named, given, idsIn(answered))
  expect(after.map(({ id }) => id)).toEqual(['one', 'stp_b', 'stp_n', 'two'])
  expect(toStepInputs(after)[1]!.branches![0]).toMatchObject({ id: 'brn_1', goTo: 'stp_n' })
  // Steps that the campaign has lost since then are sent as new ones.
  expect(withIds(after, given, idsIn(answered.slice(0, 2))).map(({ id }) => id)).toEqual(['one', 'stp_b', null, null])
})

test('a first message keeps its wait and thread only for leads from other campaigns', () => {
  const steps = [stored({ id: 'one', waitBefore: { value: 2, unit: 'hours' }, sameThread: true })]
  const [own] = toStepInputs(toDraft(steps))
  expect(own).toMatchObject({ waitBefore: { value: 0 }, sameThread: false })
  const [taken] = toStepInputs(toDraft(steps), true)
  expect(taken).toMatchObject({ waitBefore: { value: 2, unit: 'hours' }, sameThread: true })
  expect(taken!.variants![0]!.subject).toBe(steps[0]!.variants[0]!.subject)
})

test('the fields for conditions are those of the contract', () => {
  expect([...leadFields].sort()).toEqual([...conditionFields].sort())
})
