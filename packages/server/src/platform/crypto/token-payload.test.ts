import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodePayload, encodePayload } from './token-payload.ts'

const field = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
  fc.stringMatching(/^[\w.~-]{0,30}$/),
  fc.constantFrom('', '.', '~', '..', '~~', 'led_01m87fes', 'https://example.com/?a=b&c=~d.'),
)

test('fields are read as they were, whatever they contain', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 8 }), (fields) => {
      const payload = encodePayload(fields)
      expect(decodePayload(payload)).toEqual(fields)
      // Only unreserved characters of a URL (RFC 3986, 2.3): no mail client changes them or ends a link at them.
      expect(payload).toMatch(/^[\w.~-]*$/)
    }),
  )
})

test('different fields have different payloads', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 4 }), fc.array(field, { maxLength: 4 }), (a, b) => {
      if (JSON.stringify(a) !== JSON.stringify(b)) expect(encodePayload(a)).not.toBe(encodePayload(b))
    }),
  )
})

test('ids are readable in a link', () => {
  expect(encodePayload(['acc_1', 'live', 'https://example.com/a'])).toBe('acc_1.live.~aHR0cHM6Ly9leGFtcGxlLmNvbS9h')
})
