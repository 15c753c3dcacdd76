import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeDomain, normalizeEmail } from './addresses.ts'

test.each([
  [' Ada@Example.COM ', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example.', 'ada@xn--bcher-kva.example'],
  ['ada@straße.example', 'ada@xn--strae-oqa.example'],
  ['"a@b"@example.com', '"a@b"@example.com'],
  ['ada@ex ample.com', 'ada@ex ample.com'],
])('%s is compared as %s', (given, expected) => expect(normalizeEmail(given).email).toBe(expected))

test('domains are what Node.js makes of them, though no part of Node.js is used', () => {
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const names = fc.oneof(
    fc.domain(),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
  )
  fc.assert(
    fc.property(names, (name) => {
      const lower = name.trim().toLowerCase().replace(/\.$/, '')
      expect(normalizeDomain(name)).toBe(domainToASCII(lower) || lower)
    }),
    { numRuns: 2_000 },
  )
})
