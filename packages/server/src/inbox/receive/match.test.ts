import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersTo, nearest } from './match.ts'

const address = (email: string) => ({ email, name: null })
const ours = new Set(['sales@sender.test'])

test.each([
  [[], null],
  [['ada@example.com'], null],
  [['ADA@Example.com'], null],
  [['sales@sender.test'], null],
  [['nonsense', ''], null],
  [['assistant@example.com'], ['assistant@example.com']],
  [['sales@sender.test', 'list@example.com'], ['list@example.com']],
  [
    ['ada@example.com', 'assistant@example.com'],
    ['ada@example.com', 'assistant@example.com'],
  ],
])('with Reply-To %j, answers go to %j', (replyTo, expected) => {
  const answer = answersTo({ from: [address('ada@example.com')], replyTo: replyTo.map(address) }, ours)
  expect(answer?.map(({ email }) => email) ?? null).toEqual(expected)
})

test("an answer goes to addresses that aren't ours, else to the writer, whatever Reply-To contains", () => {
  const email = fc.oneof(
    fc.constantFrom(
      'sales@sender.test',
      'SALES@SENDER.TEST',
      'a@b@c',
      '<x@y.test>',
      'x y@z.test',
      '@',
      '\u0000@x.test',
    ),
    fc.emailAddress(),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(email, { maxLength: 5 }), (replyTo) => {
      const answer = answersTo({ from: [address('ada@example.com')], replyTo: replyTo.map(address) }, ours)
      for (const one of answer ?? []) expect(one.email).toMatch(/^[^\s@<>]+@[^\s@<>]+$/)
      for (const one of answer ?? []) expect(ours.has(one.email.toLowerCase())).toBe(false)
      expect(answer).not.toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

test('our own Message-ID is preferred over the same id reported by a mail server', () => {
  const message = (leadId: string, rfcMessageId: string, deliveredMessageId: string | null) =>
    ({ direction: 'outbound', leadId, leadEmail: null, rfcMessageId, deliveredMessageId }) as const
  const named = message('led_1', '<msg_1@a.test>', null)
  const claiming = message('led_2', '<msg_2@a.test>', '<msg_1@a.test>')
  for (const known of [
    [named, claiming],
    [claiming, named],
  ])
    expect(nearest(['<msg_1@a.test>'], known)?.leadId).toBe('led_1')
  const replaced = message('led_3', '<msg_3@a.test>', '<new@b.test>')
  expect(nearest(['<new@b.test>'], [named, replaced])?.leadId).toBe('led_3')
})
