import { expect, test } from 'vitest'
import { pseudo, useLanguage, words } from './words.ts'

test('texts keep their structure', () => {
  const english = { title: 'Home', days: ['Mo', 'Tu'], kinds: { one: 'One' }, count: (n: string) => `${n} rows` }
  expect(words('x', english)).toEqual({ ...english, count: expect.any(Function) })
  expect(words('x', english).count('3')).toBe('3 rows')
})

test('a language uses its own texts, else English; the pseudo-locale changes all texts', () => {
  useLanguage('de', { x: { title: 'Start' } })
  expect(words('x', { title: 'Home', other: 'Other' })).toEqual({ title: 'Start', other: 'Other' })
  useLanguage('en-XA')
  expect(words('x', { title: 'Home', days: ['Mo'] })).toEqual({ title: pseudo('Home'), days: [pseudo('Mo')] })
  expect(pseudo('Home').length).toBeGreaterThan('Home'.length)
  useLanguage('en')
})
