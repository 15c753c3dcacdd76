import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packBytes, readStoredBytes } from './packed.ts'
import { breakSoftly, withoutSoftBreaks, withSoftBreaks } from './soft-breaks.ts'

const boundary = `--a-${'0a'.repeat(12)}`
const quoted = 'Content-Transfer-Encoding: quoted-printable'
const long = 'word '.repeat(40)

const piece = fc.oneof(
  fc.constantFrom(
    '=\r\n',
    '\r\n',
    '=3D',
    '=',
    ' ',
    boundary,
    `${boundary}--`,
    quoted,
    `\r\n${boundary}\r\n${quoted}\r\n\r\n`,
    long,
  ),
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const anything = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')))

test('whatever is taken for a message of ours comes back as it was', () => {
  fc.assert(
    fc.property(anything, (message) => {
      const joined = withoutSoftBreaks(message)
      if (joined !== null) expect(withSoftBreaks(joined)).toEqual(message)
      const dictionary = Buffer.from('word word')
      expect(readStoredBytes({ raw: null, packed: packBytes(message, dictionary), dictionary })).toEqual(message)
    }),
  )
})

test('soft breaks are taken out of quoted parts alone, and put back there', () => {
  const head = `Subject: ${'x'.repeat(90)}\r\n\r\n`
  const part = (encoding: string, line: string) => `${boundary}\r\n${encoding}\r\n\r\n${line}\r\n`
  const plain = part('Content-Transfer-Encoding: 7bit', 'y'.repeat(90))
  const whole = `${head}${part(quoted, breakSoftly(long.trim()))}${plain}${boundary}--\r\n`
  const joined = withoutSoftBreaks(Buffer.from(whole))
  expect(joined?.toString()).toBe(`${head}${part(quoted, long.trim())}${plain}${boundary}--\r\n`)
  expect(withSoftBreaks(joined!).toString()).toBe(whole)
})

test('breaks that we would not write stay where they are', () => {
  const early = `${boundary}\r\n${quoted}\r\n\r\nbroken =\r\nearly\r\n`
  const elsewhere = `Subject: a =\r\nheader\r\n\r\nbody`
  for (const message of [early, elsewhere, 'nothing to break'])
    expect(withoutSoftBreaks(Buffer.from(message))).toBeNull()
})
