import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageLanguage, pageLanguages } from './page-language.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-CH, fr;q=0.9', 'de'],
  ['ja, pt-BR;q=0.8, en;q=0.5', 'pt'],
  ['en;q=0.3, sv;q=0.9', 'sv'],
  ['fr;q=0, nl;q=0.1', 'nl'],
  ['zh-Hant-TW, *;q=0.5', 'en'],
  ['de;q=x, it', 'it'],
  ['DA', 'da'],
])('a browser that wants %s gets the page in %s', (header, language) => {
  expect(pageLanguage(header)).toBe(language)
})

test('every header gives a language that the pages have', () => {
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (header) => pageLanguages.includes(pageLanguage(header))))
})
