import { describe, expect, test } from 'vitest'
import type { TextCheck } from '../check.queries.ts'
import { isProposed, proposalsFor, replaced } from './proposed-texts.ts'

const body = 'Hello,\nI met {{firstName|there}}'
const hint = { severity: 'warning', field: 'body', message: 'A fallback is written so.' } as const
const check: TextCheck = {
  checkedTexts: { subject: '', body },
  issues: [{ field: 'body', line: 2, column: 7, message: 'There is no filter there.' }],
  hints: [
    { ...hint, code: 'other_spelling', at: [13, 32], replacement: '{{ firstName | default: "there" }}' },
    { ...hint, code: 'spam_word', at: [0, 5], replacement: null },
  ],
  variables: [],
  previews: [],
}

describe('the proposals for a text', () => {
  test('are those of its part, as long as the text is the one that was checked', () => {
    const [proposal] = proposalsFor(check, 'body', body)
    expect(replaced(body, proposal!.at, proposal!.replacement!)).toBe(
      'Hello,\nI met {{ firstName | default: "there" }}',
    )
    expect(proposalsFor(check, 'subject', '')).toEqual([])
    expect(proposalsFor(check, 'body', `${body}!`)).toEqual([])
    expect(proposalsFor(undefined, 'body', body)).toEqual([])
  })

  test('replace the words of an error at their place, and of no other error', () => {
    const proposals = proposalsFor(check, 'body', body)
    expect(isProposed(check.issues[0]!, body, proposals)).toBe(true)
    expect(isProposed({ ...check.issues[0]!, line: 1 }, body, proposals)).toBe(false)
  })
})
