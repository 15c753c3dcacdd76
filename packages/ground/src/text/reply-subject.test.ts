import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replySubject } from './reply-subject.ts'

test.each([
  ['Hello', 'Re: Hello'],
  ['  Hello ', 'Re: Hello'],
  ['Re: Hello', 'Re: Hello'],
  ['RE: re:Hello', 'Re: Hello'],
  ['AW: SV: Antw: Hello', 'Re: Hello'],
  ['Re[2]: Hello', 'Re: Hello'],
  ['回复：你好', 'Re: 你好'],
  ['Regarding: the plan', 'Re: Regarding: the plan'],
  ['Reply to this', 'Re: Reply to this'],
  ['', 'Re: '],
])('a reply to %j has the subject %j', (subject, answer) => {
  expect(replySubject(subject)).toBe(answer)
})

test('a reply to a reply has the same subject', () => {
  const subjects = fc
    .array(fc.constantFrom('Re:', 'AW: ', ' ', 'SV :', 'Re[3]:', 'Hello', '回复：'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(subjects, (subject) => {
      const first = replySubject(subject.slice(0, 60))
      expect(replySubject(first)).toBe(first)
    }),
  )
})
