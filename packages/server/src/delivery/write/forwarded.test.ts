import { describe, expect, test } from 'vitest'
import { forwardSubject, forwardText } from './forwarded.ts'

const token = `t${'a'.repeat(60)}.${'b'.repeat(40)}`

describe('the subject of a forward', () => {
  test.each([
    ['Hello', 'Fwd: Hello'],
    ['Re: Hello', 'Fwd: Hello'],
    ['AW: Fwd: WG: Hello', 'Fwd: Hello'],
    ['', 'Fwd: '],
  ])('of %j is %j', (subject, wanted) => expect(forwardSubject(subject)).toBe(wanted))
})

describe('the text of a forward', () => {
  const original = {
    from: { email: 'ada@acme.test', name: 'Ada\r\nBcc: x@evil.test' },
    to: [{ email: 'sender@example.com', name: null }],
    at: new Date('2026-03-02T09:00:00.000Z'),
    subject: 'Re: Hello',
    text: 'Tell me more.',
    quotedText: `> Unsubscribe: https://mail.example.com/u/${token}`,
  }

  const bodyOf = (text: string) =>
    forwardText({ ...original, text, quotedText: null }, null, [])
      .split('\n\n')
      .at(-1)

  test('has what the user wrote, and the original with its headers in one line each', () => {
    expect(forwardText(original, ' Can you answer? ', ['big.zip'])).toBe(
      [
        'Can you answer?',
        '',
        '---------- Forwarded message ----------',
        'From: Ada Bcc: x@evil.test <ada@acme.test>',
        'Date: Mon, 02 Mar 2026 09:00:00 GMT',
        'Subject: Re: Hello',
        'To: sender@example.com',
        'File not included, because it was too large to store: big.zip',
        '',
        'Tell me more.',
        '',
        '> Unsubscribe: [link removed]',
      ].join('\n'),
    )
  })

  test.each([
    `https://mail.example.com/u/${token}`,
    `<a href="https://mail.example.com/c/${token}">x</a>`,
    `https://gateway.test/?url=https%3A%2F%2Fmail.example.com%2Fo%2F${token}&d=1`,
    `https://mail.example.com/u/hidden`,
  ])('does not contain the link in %s', (text) => {
    const left = bodyOf(`Before ${text} after`)
    expect(left).not.toContain(token)
    expect(left).toMatch(/^Before .*after$/)
  })

  test('keeps all other links', () => {
    const text = 'See https://example.com/hiddenthings and https://example.com/u/1.'
    expect(bodyOf(text)).toBe(text)
  })
})
