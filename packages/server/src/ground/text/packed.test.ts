import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packBytes, readStoredBytes } from './packed.ts'
import { breakSoftly } from './soft-breaks.ts'

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 5_000 }),
  fc.string({ unit: 'binary', maxLength: 500 }).map((text) => Buffer.from(text)),
  // One of our messages with a soft break.
  fc
    .tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), fc.nat({ max: 300 }))
    .map(([subject, length]) => Buffer.from(quotedMessage(subject, length))),
)
const anything = bytes.map((one) => Buffer.from(one))
const dictionaries = anything.filter((one) => one.length > 0)

test('any bytes come back, whatever they were packed with, also what a dictionary has word for word', () => {
  fc.assert(
    fc.property(anything, anything, fc.boolean(), (own, dictionary, isLike) => {
      const message = isLike ? Buffer.concat([dictionary, own, dictionary]) : own
      const packed = packBytes(message, dictionary)
      expect(readStoredBytes({ raw: null, packed, dictionary })).toEqual(message)
    }),
  )
  const large = Buffer.alloc(3_000_000, 'Bytes of a large message, ')
  const dictionary = large.subarray(0, 40_000)
  expect(readStoredBytes({ raw: null, packed: packBytes(large, dictionary), dictionary })?.equals(large)).toBe(true)
})

test('nothing is read with another dictionary, nor without one', () => {
  fc.assert(
    fc.property(
      anything,
      dictionaries,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (message, dictionary, place, change) => {
        const packed = packBytes(message, dictionary)
        const other = Buffer.from(dictionary)
        other[place % other.length]! ^= change
        expect(() => readStoredBytes({ raw: null, packed, dictionary: other })).toThrow('Bad dictionary')
        expect(() => readStoredBytes({ raw: null, packed, dictionary: null })).toThrow('missing')
      },
    ),
  )
})

test('what was cut or changed where it lay is told, and never read as another message', () => {
  fc.assert(
    fc.property(
      anything,
      dictionaries,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (message, dictionary, place, change) => {
        const packed = packBytes(message, dictionary)
        const changed = Buffer.from(packed)
        changed[place % changed.length]! ^= change
        for (const damaged of [changed, packed.subarray(0, packed.length - 1)])
          expectNoOther(damaged, { message, dictionary })
      },
    ),
  )
})

// Some bits of a stream have no effect: if they are changed, the same content must be read.
function expectNoOther(packed: Buffer, { message, dictionary }: { message: Buffer; dictionary: Buffer }): void {
  let read: Buffer | null = null
  try {
    read = readStoredBytes({ raw: null, packed, dictionary })
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
  }
  if (read !== null) expect(read).toEqual(message)
}

test('bytes that lie as they are go before packed ones: a release before wrote them, later', () => {
  const dictionary = Buffer.from('Hello')
  const packed = packBytes(Buffer.from('Hello, packed'), dictionary)
  for (const raw of [Buffer.from('Hello, as it is'), Buffer.alloc(0)])
    expect(readStoredBytes({ raw, packed, dictionary })).toBe(raw)
  expect(readStoredBytes({ raw: null, packed: null, dictionary: null })).toBeNull()
  expect(readStoredBytes({ raw: null, packed: null, dictionary })).toBeNull()
})

test('what was packed with its soft breaks, before they were taken out, is read', () => {
  const message = Buffer.from(quotedMessage('Hello', 200))
  const dictionary = Buffer.from(quotedMessage('', 100))
  const packed = deflateSync(message, { dictionary })
  expect(packBytes(message, dictionary).length).toBeLessThan(packed.length)
  expect(readStoredBytes({ raw: null, packed, dictionary })).toEqual(message)
})

test('what lies in databases without its soft breaks is read as it was written, letter by letter', () => {
  const message = [
    'Content-Type: multipart/alternative; boundary="a-0123456789abcdef01234567"',
    '',
    '--a-0123456789abcdef01234567',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=',
    '=C3=BC, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy=',
    '=C3=BC and some.',
    '--a-0123456789abcdef01234567--',
    '',
  ].join('\r\n')
  const packed = Buffer.from(
    'AVikaBgQfHOGKa0sSLVSyC3NKcksSCwq0U/MKUktykssySxLtVZIyi/NS0ksqrRVStQ1MDQyNjE1M7ewTExKTklNg/GVeLl4uXR1cSvg5XIm3lkgwyqoBmydjW2d' +
      'nHUUKikGEJMUEvNSFIrzc1P18HtZV5eXCwC0PYAw',
    'base64',
  )
  const dictionary = Buffer.from('Content-Transfer-Encoding: quoted-printable')
  expect(readStoredBytes({ raw: null, packed, dictionary })?.toString()).toBe(message)
})

function quotedMessage(subject: string, length: number): string {
  const words = Array.from({ length: length / 5 }, (_, at) => `word${at}`).join(' ')
  const text = breakSoftly(`${subject.replaceAll('=', '')} ${words} end`)
  return `Subject: ${subject}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}\r\n`
}
