import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { newId } from '../../platform/ids.ts'
import { optOutUrl, readOptOut, signOptOut, type OptOutToken } from './opt-out-link.ts'

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)]
const secrets = createSecrets([first])
const idOf = (prefix: string) => fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{18}$/).map((digits) => `${prefix}_${digits}`)
const token: fc.Arbitrary<OptOutToken> = fc.record({
  accountId: idOf('acc'),
  environment: fc.constantFrom('live', 'test'),
  leadId: fc.option(idOf('led').filter((id) => !/^led_0+$/.test(id))),
  email: fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ unit: 'binary' })),
})

test('an opt-out token is read with its content, also after the key was replaced, and not with another key', () => {
  fc.assert(
    fc.property(token, (given) => {
      const text = signOptOut(secrets, given)
      expect(signOptOut(secrets, given)).toBe(text)
      expect(text).toMatch(/^[\w.-]+$/)
      expect(readOptOut(secrets, text)).toEqual(given)
      expect(readOptOut(createSecrets([second, first]), text)).toEqual(given)
      expect(readOptOut(createSecrets([second]), text)).toBe(null)
    }),
  )
})

test('an opt-out token with one changed, missing or added character is invalid', () => {
  fc.assert(
    fc.property(token, fc.nat(), fc.constantFrom('A', 'b', '0', '-', '.', ''), (given, at, character) => {
      const text = signOptOut(secrets, given)
      const place = at % text.length
      fc.pre(text[place] !== character)
      expect(readOptOut(secrets, text.slice(0, place) + character + text.slice(place + 1))).toBe(null)
      if (character !== '') expect(readOptOut(secrets, text.slice(0, place) + character + text.slice(place))).toBe(null)
    }),
  )
})

test('a token of another purpose or form is no opt-out', () => {
  const shown = `l${'A'.repeat(30)}`
  expect(readOptOut(secrets, secrets.sealToken('booking', { shown, hidden: 'a' }))).toBe(null)
  expect(readOptOut(secrets, secrets.signToken('unsubscribe', [shown, 'a']))).toBe(null)
  expect(readOptOut(secrets, secrets.sealToken('unsubscribe', { shown: 'l', hidden: 'a' }))).toBe(null)
  for (const text of ['', '.', 'a.b', `${shown}.`, '💥', 'x'.repeat(10_000)])
    expect(readOptOut(secrets, text)).toBe(null)
})

test.each(['.', '>', ')', ').', '%3E', ',', '”', '=', ' ', '\n'])(
  'an opt-out token with %j at its end is read: programs add the end of the sentence to a link',
  (end) => {
    const given = { accountId: newId('acc'), environment: 'live' as const, leadId: newId('led'), email: 'a@acme.test' }
    const text = signOptOut(secrets, given)
    expect(readOptOut(secrets, `${text}${end}`)).toEqual(given)
    expect(readOptOut(secrets, `${text.slice(0, -1)}${end}`)).toBe(null)
    expect(readOptOut(secrets, `${text}${end}a`)).toBe(null)
  },
)

test("the address can't be read in the token", () => {
  const ids = { accountId: newId('acc'), environment: 'live' as const, leadId: newId('led') }
  const tokens = ['nora.lindqvist@acme.test', 'nora.lindqvisd@acme.test'].map((email) =>
    signOptOut(secrets, { ...ids, email }),
  )
  const [one, other] = tokens.map((text) => text.slice(-24)) as [string, string]
  const alike = Array.from(one).filter((char, at) => char === other[at]).length
  expect([alike < 8, one.includes('nora')]).toEqual([true, false])
})

test('the path of an opt-out link has at most 90 characters for an address of up to 39', () => {
  const ids = { accountId: newId('acc'), environment: 'live' as const, leadId: newId('led') }
  const lengthOf = (email: string) => optOutUrl(secrets, '', { ...ids, email }).length
  expect(lengthOf('nora.lindqvist@acme.test')).toBe(75)
  expect(lengthOf(`${'n'.repeat(29)}@acme.test`)).toBe(90)
  expect(lengthOf(`${'n'.repeat(30)}@acme.test`)).toBe(91)
})
