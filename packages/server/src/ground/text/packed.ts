import { deflateSync, inflateSync } from 'node:zlib'
import { withoutSoftBreaks, withSoftBreaks } from './soft-breaks.ts'

/** The stored bytes of a message: either raw, or packed with a dictionary. */
export interface StoredBytes {
  raw: Buffer | null
  packed: Buffer | null
  /** The bytes of the dictionary. */
  dictionary: Buffer | null
}

/** Our messages are far shorter, so longer content was not written here. */
const unpackedBytesMax = 64 * 1024 * 1024

// For content up to 8 KiB, a fifth of zlib's usual memory per message is enough: 50 kB, plus 2 kB for the result.
const nearBytes = 8 * 1024
const near = { windowBits: 13, memLevel: 5, chunkSize: 2 * 1024 }

/** Marks the stream of a message without soft breaks. No zlib stream begins with this byte (RFC 1950, 2.2). */
const joinedMark = Buffer.from([1])

/**
 * Packs bytes into a zlib stream with a preset dictionary (RFC 1950, FDICT), which contains checksums of the dictionary and the
 * bytes. Our messages are packed without soft breaks, whose places differ among messages of the same text.
 */
export function packBytes(bytes: Buffer, dictionary: Buffer): Buffer {
  const joined = withoutSoftBreaks(bytes)
  return joined === null ? deflate(bytes, dictionary) : Buffer.concat([joinedMark, deflate(joined, dictionary)])
}

/** Returns null if there are no bytes. Throws if the dictionary is missing or wrong. */
export function readStoredBytes({ raw, packed, dictionary }: StoredBytes): Buffer | null {
  if (raw !== null || packed === null) return raw
  if (dictionary === null) throw new Error('The dictionary that a message was packed with is missing.')
  if (packed[0] !== joinedMark[0]) return inflate(packed, dictionary)
  return withSoftBreaks(inflate(packed.subarray(1), dictionary))
}

/** The same for callers that can do without the bytes: returns null also if they can't be read. */
export function readableBytes(stored: StoredBytes): Buffer | null {
  try {
    return readStoredBytes(stored)
  } catch {
    return null
  }
}

function deflate(bytes: Buffer, dictionary: Buffer): Buffer {
  const isNear = dictionary.length + bytes.length <= nearBytes
  return deflateSync(bytes, isNear ? { dictionary, ...near } : { dictionary })
}

function inflate(packed: Buffer, dictionary: Buffer): Buffer {
  return inflateSync(packed, { dictionary, maxOutputLength: unpackedBytesMax })
}
