import { expect, test } from 'vitest'
import { encodingFor, type Encoding } from './encodings.ts'

const all: Encoding[] = ['br', 'gzip', 'identity']

test.each([
  ['gzip, deflate, br', all, 'br'],
  ['gzip, deflate', all, 'gzip'],
  ['br;q=0, gzip;q=0.5', all, 'gzip'],
  ['br; q=0.0', all, 'identity'],
  [undefined, all, 'identity'],
  ['br, gzip', ['identity'], 'identity'],
] as const)('for %s of %o it is %s', (accepted, available, encoding) => {
  expect(encodingFor(accepted, available)).toBe(encoding)
})
