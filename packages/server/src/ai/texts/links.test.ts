import { describe, expect, test } from 'vitest'
import { foreignLinks } from './links.ts'

const known =
  'See https://acme.example.com/demo or write to ada@acme.example.com. Prices: acme.example.com/prices?plan=a'

describe('foreignLinks', () => {
  test.each([
    ['a URL', 'https://evil.test/x'],
    ['a URL in capitals', 'HTTPS://EVIL.TEST'],
    ['a bare domain', 'Go to evil.com today'],
    ['a domain with a new ending', 'Go to evil.zip or evil.quest'],
    ['a domain in another script', 'Смотрите пример.рф'],
    ['a domain in Punycode', 'xn--e1afmkfd.xn--p1ai'],
    ['a domain after a bracket', '(evil.com)'],
    ['a domain after a given one', 'https://acme.example.com/demo).evil.com'],
    ['a domain that begins like a given one', 'https://acme.example.com.evil.com/demo'],
    ['a given domain as the name of a user', 'https://acme.example.com@evil.com/'],
    ['another page of a given site', 'https://acme.example.com/pay'],
    ['a redirect of a given page', 'https://acme.example.com/demo?to=evil'],
    ['a link without a scheme', 'See //evil.test/x'],
    ['a link with backslashes', String.raw`https:\\evil.test`],
    ['a scheme without slashes', 'http:evil'],
    ['an address', 'Write to boss@evil.test'],
    ['an address link', 'mailto:boss@evil.test'],
    ['a telephone link', 'tel:+491234567'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['an IP address', 'Open 203.0.113.7/login'],
    ['a local server', 'http://localhost/x'],
    ['an IPv6 address', 'http://[2001:db8::1]/x'],
    ['a link in HTML', '<a href=https://evil.test>acme.example.com/demo</a>'],
    ['a quoted link in HTML', '<a href="//evil.test/x">here</a>'],
    ['a link in Markdown', '[acme.example.com](evil.test/x)'],
    ['a link in entities', 'evil&#46;test and ev&#x69;l&period;test'],
    ['wide letters', 'ｅｖｉｌ．ｃｏｍ'],
    ['an ideographic full stop', 'evil。com'],
    ['an invisible letter', 'evil\u200b.com'],
    ['a dot in brackets', 'evil[.]com and evil (dot) com'],
    ['a defused URL', 'hxxps://evil.test'],
    ['an underscore before a URL', '_https://localhost/x'],
    ['a domain with an underscore', '_evil.com'],
  ])('finds %s', (_name, text) => {
    expect(foreignLinks(text, known)).not.toEqual([])
  })

  test.each([
    ['a given page', 'See https://acme.example.com/demo.'],
    ['a given page without its scheme', 'See acme.example.com/demo, please'],
    ['the site of a given page', 'See www.acme.example.com!'],
    ['a given page with a query', '(acme.example.com/prices?plan=a)'],
    ['a given address', 'Write to ada@acme.example.com.'],
    ['short words with full stops', 'E.g. at 10 a.m., z.B. i.e. the U.S.A. and 1.5 or 20.30'],
    ['names with a full stop', 'We use Node.js and send offer.pdf'],
    ['a slash between words', 'and/or, 24/7, w/o'],
    ['a time and a ratio', 'At 10:30, in the ratio of 2:1'],
    ['a colon before a word', 'Data: we keep none. Tel: on request. File: attached'],
  ])('allows %s', (_name, text) => {
    expect(foreignLinks(text, known)).toEqual([])
  })

  test('takes bounded time for a long text', () => {
    for (const piece of ['a.', 'a@', 'http:', '//', '1.1.1.', '&#46;', 'a-'])
      expect(() => foreignLinks(piece.repeat(10_000), known)).not.toThrow()
  })
})
