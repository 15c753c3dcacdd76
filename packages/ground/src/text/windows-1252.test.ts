import { expect, test } from 'vitest'
import { decodeWindows1252 } from './windows-1252.ts'

test('all 256 bytes are decoded by the Encoding standard', () => {
  const text = decodeWindows1252(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  expect(text).toHaveLength(256)
  expect(text.slice(0x80, 0xa0)).toBe('€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ')
  for (const byte of [0, 0x0a, 0x41, 0x7f, 0xa0, 0xe9, 0xff]) expect(text.charCodeAt(byte)).toBe(byte)
})

test('a part of a larger buffer is decoded alone', () => {
  expect(decodeWindows1252(Buffer.from('xdon\x92t\x80x', 'latin1').subarray(1, -1))).toBe('don’t€')
})
