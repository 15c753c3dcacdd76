import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputOf, isHalfWritten, newStep, newVariant, writtenOf, type StepDraft, type VariantDraft } from './draft.ts'

const saved = (key: string): VariantDraft => ({ ...newVariant(key, 0), id: key, body: `Text of ${key}` })
const steps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }).map((counts): StepDraft[] =>
  counts.map((count, at) => ({
    ...newStep(`s${at}`, at === 0),
    id: `s${at}`,
    variants: Array.from({ length: count }, (_none, index) => saved(`s${at}v${index}`)),
  })),
)

test('what was added and has no text yet is not sent, wherever it stands, and the rest is as it was', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), fc.constantFrom('', ' ', '\n'), (draft, stepAt, variantAt, body) => {
      const blank = { ...newStep('new', draft.length === 0), variants: [{ ...newVariant('blank', 0), body }] }
      const place = stepAt % (draft.length + 1)
      const more = draft.toSpliced(place, 0, blank).map((step, at) => {
        if (at === place) return step
        const within = variantAt % (step.variants.length + 1)
        return { ...step, variants: step.variants.toSpliced(within, 0, { ...newVariant(`b${at}`, 0), body }) }
      })
      expect(inputOf(writtenOf(more))).toEqual(inputOf(draft))
      expect(isHalfWritten(more)).toBe(false)
    }),
  )
})

test('a text is sent; one that was emptied too, for the API to refuse; a subject alone is not saved, and is said to be so', () => {
  const [step] = writtenOf([newStep('one', true)])
  expect(step).toBeUndefined()
  const draftWith = (changes: Partial<VariantDraft>): StepDraft[] => [
    { ...newStep('one', true), variants: [{ ...newVariant('v', 0), ...changes }] },
  ]
  expect(writtenOf(draftWith({ body: 'Hello' }))).toHaveLength(1)
  expect(writtenOf(draftWith({ id: 'var_1', body: '' }))).toHaveLength(1)
  expect(writtenOf(draftWith({ subject: 'Hello' }))).toHaveLength(0)
  expect(isHalfWritten(draftWith({ subject: 'Hello' }))).toBe(true)
  expect(isHalfWritten(draftWith({ subject: 'Hello', body: 'Text' }))).toBe(false)
})
