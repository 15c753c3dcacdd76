import { ApiError, type StepInput } from '@overture/sdk'
import { describe, expect, test } from 'vitest'
import { toDraft, newStep } from '../draft.ts'
import { isAboutTexts, refusedBy, refusedIn, withKept, withoutRefused } from './kept-texts.ts'

const variant = (id: string | undefined, subject: string, body: string) => ({
  ...(id !== undefined && { id }),
  label: 'A',
  subject,
  body,
  enabled: true,
})
const steps: StepInput[] = [
  { variants: [variant('var_1', 'Hello', 'Hi {{ firstName')] },
  { variants: [variant('var_2', '', 'Again, better'), variant(undefined, '', 'New {% if')] },
]
const saved: StepInput[] = [
  { variants: [variant('var_1', 'Hello', 'Hi')] },
  { variants: [variant('var_2', '', 'Again')] },
]

function refusal(...issues: { path: string; rule: string }[]): ApiError {
  const details = { issues: issues.map((issue) => ({ ...issue, message: 'No.' })) }
  return new ApiError('No.', {
    code: 'VALIDATION_ERROR',
    status: 400,
    requestId: 'req_1',
    retryAfterSeconds: null,
    details,
  })
}

describe('a text that does not parse', () => {
  const error = refusal(
    { path: 'steps[0].variants[0].body', rule: 'template' },
    { path: 'steps[1].variants[1].body', rule: 'template' },
  )

  test('is held back with its saved text in its place, and everything else is saved', () => {
    const refused = new Set(refusedBy(error, steps))
    expect(refused.size).toBe(2)
    const { steps: sent, count } = withoutRefused(steps, refused, saved)
    expect(count).toBe(2)
    expect(sent[0]!.variants![0]).toMatchObject({ subject: 'Hello', body: 'Hi', enabled: true })
    expect(sent[1]!.variants![0]).toMatchObject({ body: 'Again, better', enabled: true })
    // Without a saved text the variant is switched off, so that no blank message is sent.
    expect(sent[1]!.variants![1]).toMatchObject({ body: '', enabled: false })
  })

  test('is kept by its variant and is put back into the draft', () => {
    const step = newStep('key', true)
    const [first] = step.variants
    const draft = [{ ...step, id: 'stp_1', variants: [{ ...first!, id: 'var_1', body: 'Hi {{ firstName' }] }]
    const kept = refusedIn(draft, new Set(refusedBy(error, steps)))
    expect(kept).toEqual({ var_1: { body: 'Hi {{ firstName' } })
    const empty = [{ ...step, variants: [{ ...first!, id: 'var_1', enabled: false }] }]
    expect(withKept(empty, kept)[0]!.variants[0]).toMatchObject({ body: 'Hi {{ firstName', enabled: true })
    expect(withKept(toDraft([]), kept)).toEqual([])
  })

  test('is told apart from other errors', () => {
    expect(isAboutTexts(error)).toBe(true)
    expect(isAboutTexts(refusal({ path: 'steps[0].waitBefore', rule: 'too_small' }))).toBe(false)
    expect(isAboutTexts(new Error('Offline'))).toBe(false)
    expect(refusedBy(refusal({ path: 'steps[0].variants[0].body', rule: 'too_big' }), steps)).toEqual([])
  })
})
