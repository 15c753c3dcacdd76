import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAuthenticationResults } from './authentication-results.ts'

const read = (value: string) =>
  readAuthenticationResults({
    headers: [{ name: 'authentication-results', writtenName: 'Authentication-Results', value }],
  })

test.each([
  ['mx.google.com; dkim=pass header.i=@example.com header.s=a header.b=X', 'mx.google.com', ['example.com']],
  [
    'mx.google.com 1; dkim=pass (2048-bit) header.d=Example.COM; spf=pass smtp.mailfrom=a.test',
    'mx.google.com',
    ['example.com'],
  ],
  [
    'spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=a.test; dkim=fail header.d=b.test;dmarc=pass action=none ' +
      'header.from=c.test;compauth=pass',
    null,
    ['c.test'],
  ],
  ['MX.example; none', 'mx.example', []],
  ['mx.example; dkim=none; dmarc=fail header.from=a.test', 'mx.example', []],
  ['mx.example; dkim=pass reason="all good" header.i=user@a.test', 'mx.example', ['a.test']],
  ['mx.example; dkim=pass header.d=test', 'mx.example', []],
  ['mx.example; x-dkim=pass header.d=a.test; dkim=passed header.d=a.test', 'mx.example', []],
])('%s', (value, server, domains) => {
  expect(read(value)).toEqual({ server, domains })
})

test.each([
  'mx.example; dkim=pass header.d=victim.test(.evil.test header.s=x).y header.b=z',
  'mx.example; dkim=pass header.i=@victim.test(.evil.test; spf=pass smtp.helo=).evil.test',
  'mx.example; spf=pass smtp.mailfrom=a(.evil.test; dkim=pass header.d=victim.test; x=).evil.test',
])('a parenthesis in a domain is no comment: %s', (value) => expect(read(value)).toBeNull())

test('a comment may follow a result without a space', () => {
  expect(read('mx.example; dmarc=pass(p=NONE) header.from=a.test')?.domains).toEqual(['a.test'])
})

test('the first header counts, and "none" has no domains', () => {
  const header = (value: string) => ({ name: 'authentication-results', writtenName: 'Authentication-Results', value })
  const headers = [header('mx.a; none'), header('mx.b; dkim=pass header.d=b.test')]
  expect(readAuthenticationResults({ headers })).toEqual({ server: 'mx.a', domains: [] })
  expect(readAuthenticationResults({ headers: [] })).toBeNull()
})

test('text that the sender controls never becomes a result', () => {
  const claim = 'dkim=pass header.d=victim.test'
  const pieces = fc.array(
    fc.constantFrom(
      '"',
      '\\',
      '\\"',
      ';',
      ' ',
      '(',
      ')',
      claim,
      `; ${claim};`,
      `"; ${claim}; "`,
      `) ; ${claim} (`,
      '@',
      'x',
    ),
    { maxLength: 8 },
  )
  // A server escapes the text that it repeats, as RFC 5322 requires.
  const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
  const comment = (text: string) => `(${text.replaceAll(/[()\\]/g, '\\$&')})`
  fc.assert(
    fc.property(pieces, pieces, (one, other) => {
      const value =
        `mx.example; spf=pass ${comment(one.join(''))} smtp.mailfrom=${quoted(other.join(''))}@evil.test; dkim=pass ` +
        'header.d=evil.test'
      expect(read(value)).toEqual({ server: 'mx.example', domains: ['evil.test'] })
    }),
    { numRuns: 2_000 },
  )
})
