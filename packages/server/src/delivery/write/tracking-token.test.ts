import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { createSecrets } from '../../platform/crypto/secrets.shell.ts'
import { readTrackingToken, signTrackingToken, type TrackingPurpose, type TrackingToken } from './tracking-token.ts'

const secrets = createSecrets(['a'.repeat(64)])
const sign = (purpose: string, fields: readonly string[]) => secrets.signToken(purpose, fields)
const verify = (purpose: string, token: string) => secrets.verifyToken(purpose, token)

const crockford = fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{18}$/)
const idOf = (prefix: string) =>
  fc.oneof(
    crockford.map((text) => `${prefix}_${text}`),
    fc.constantFrom(`${prefix}_000000000000000000`, `${prefix}_zzzzzzzzzzzzzzzzzz`),
    fc.constantFrom(`${prefix}_1`, `${prefix}_iiiiiiiiiiiiiiiiii`, ''),
  )
const token: fc.Arbitrary<TrackingToken> = fc.record({
  accountId: idOf('acc'),
  environment: fc.constantFrom('live', 'test'),
  campaignId: idOf('cmp'),
  leadId: idOf('led'),
  stepId: idOf('stp'),
  target: fc.option(fc.constantFrom('https://acme.test/?a=b.c~d')),
})
const purpose = fc.constantFrom<TrackingPurpose>('open', 'click')

test('a token is read with its signed values, for its own purpose only', () => {
  fc.assert(
    fc.property(token, purpose, purpose, (given, signedFor, readFor) => {
      const text = signTrackingToken(sign, signedFor, given)
      expect(readTrackingToken(verify, readFor, text)).toEqual(signedFor === readFor ? given : null)
      expect(text).toMatch(/^[\w.~-]+$/)
    }),
  )
})

test('a token with one changed character is invalid', () => {
  fc.assert(
    fc.property(token, fc.nat(), fc.constantFrom('A', 'b', '0', '-', '.'), (given, at, character) => {
      const text = signTrackingToken(sign, 'open', given)
      const place = at % text.length
      fc.pre(text[place] !== character)
      const changed = text.slice(0, place) + character + text.slice(place + 1)
      expect(readTrackingToken(verify, 'open', changed)).toBe(null)
    }),
  )
})

test('a pixel path has at most 90 characters', () => {
  const ids = { accountId: newId('acc'), campaignId: newId('cmp'), leadId: newId('led'), stepId: newId('stp') }
  const path = `/o/${signTrackingToken(sign, 'open', { ...ids, environment: 'live', target: null })}`
  expect(path.length).toBeLessThanOrEqual(90)
})
