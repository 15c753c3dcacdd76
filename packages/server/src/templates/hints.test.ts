import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findHints } from './hints.ts'
import { spamWords } from './spam-words.ts'

const name = '{{ firstName }}'
const codes = (subject: string, body: string) =>
  [...new Set(findHints({ subject, body }).map(({ code }) => code))].sort()
const longText = (words: number) => Array.from({ length: words }, (_, at) => `word${at}`).join(' ')

describe('hints', () => {
  test.each<[string, string, string, string[]]>([
    ['a plain text', 'A question', `Hello ${name}, how do you do this?`, []],
    ['nothing', '', '', []],
    ['a word of advertising', 'A question', `Hello ${name}, it is free.`, ['spam_word']],
    ['within another word', 'Freedom', `Hello ${name}, freely and carefree.`, []],
    ['in the subject, in capitals', 'Act NOW', `Hello ${name}`, ['spam_word']],
    ['in German', 'Frage', `Hallo ${name}, das ist kostenlos.`, ['spam_word']],
    ['in an address', 'A question', `Hello ${name}, see https://example.com/free`, []],
    ['in a tag', 'A question', `Hello {{ firstName | default: "free" }}`, []],
    ['in what is spun', 'A question', `Hello ${name}, {{ "now|for free" | spin }}`, ['spam_word']],
    ['four links', 'A', `${name} http://a.test/1 http://a.test/2 http://a.test/3 http://a.test/4`, ['links']],
    ['one link four times', 'A', `${name} ${'http://a.test/1 '.repeat(4)}`, []],
    ['a short link', 'A', `${name} https://bit.ly/abc`, ['short_link']],
    ['a host that ends like one', 'A', `${name} https://rabbit.ly/abc`, []],
    ['no variable', 'A question', 'Hello there', ['no_variable']],
    ['a variable in the subject alone', `For ${name}`, 'Hello there', []],
    ['our own variables alone', 'A question', 'Hello, {{ sender.fromName }}', ['no_variable']],
    ['capitals', 'A question', `Hello ${name}, THIS will CHANGE everything`, ['capitals']],
    ['a short name in capitals', 'A question for ACME', `Hello ${name}, NATO and EU`, []],
    ['a long subject', 'x'.repeat(61), `Hello ${name}`, ['long_subject']],
    ['a false answer', 'Re: our call', `Hello ${name}`, ['false_re']],
    ['a false answer in German', 'AW: Termin', `Hallo ${name}`, ['false_re']],
    ['a word that begins so', 'Reducing costs: how', `Hello ${name}`, []],
    ['a long text', 'A', `${name} ${longText(151)}`, ['length']],
    ['a text that is just short enough', 'A', `${name} ${longText(149)}`, []],
  ])('%s', (_, subject, body, expected) => expect(codes(subject, body)).toEqual(expected))

  test('have the right position, whatever text is around them', () => {
    const noise = fc.constantFrom('', 'so ', '{{ firstName }} ', '<b>x</b> ', 'Ünï 🎉 ', '{% if a %} ')
    fc.assert(
      fc.property(
        noise,
        fc.constantFrom(...spamWords),
        fc.constantFrom('', ' {{ company }}', '<br>'),
        (before, word, after) => {
          const body = `${before}${word}${after}`
          const found = findHints({ subject: '', body }).filter(({ code }) => code === 'spam_word')
          expect(found).toHaveLength(1)
          const [from = 0, to = 0] = found[0]?.at ?? []
          expect(body.slice(from, to)).toBe(word)
        },
      ),
    )
  })

  test('are at most 50 for any text', () => {
    const pieces = ['{{', '}}', '<', '>', '{%', "'", '"', '|', 'http://', 'free ', 'A', '\n', '\\']
    fc.assert(
      fc.property(fc.constantFrom(...pieces), fc.constantFrom(...pieces), (one, other) => {
        const body = `${one}${other}`.repeat(20_000 / (one.length + other.length))
        expect(findHints({ subject: one, body }).length).toBeLessThanOrEqual(50)
      }),
    )
  })
})
