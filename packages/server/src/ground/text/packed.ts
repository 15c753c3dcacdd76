import { deflateSync, inflateSync } from 'node:zlib'
import { withoutSoftBreaks, withSoftBreaks } from './soft-breaks.ts'

/** The bytes of a message as they are stored: as they are, or packed with a dictionary. */
export interface StoredBytes {
  raw: Buffer | null
  packed: Buffer | null
  /** The bytes that it was packed with. */
  dictionary: Buffer | null
}

/** No message of ours is longer by far; what is longer was not written here. */
const unpackedBytesMax = 64 * 1024 * 1024

// For what lies within 8 KiB, a fifth of the memory for each message does: 50 kB, and 2 kB that the result stays in.
const nearBytes = 8 * 1024
const near = { windowBits: 13, memLevel: 5, chunkSize: 2 * 1024 }

/** Before the stream of a message without its soft breaks; no stream of zlib begins so (RFC 1950, 2.2). */
const joinedMark = Buffer.from([1])

/**
 * A stream of zlib with a preset dictionary (RFC 1950, FDICT): it bears the checksums of the dictionary and of the bytes.
 * A message of ours is packed without its soft breaks, which fall elsewhere in each message of the same text.
 */
export function packBytes(bytes: Buffer, dictionary: Buffer): Buffer {
  const joined = withoutSoftBreaks(bytes)
  return joined === null ? deflate(bytes, dictionary) : Buffer.concat([joinedMark, deflate(joined, dictionary)])
}

/** Null: there are no bytes. Throws where the dictionary is not the one that they were packed with. */
export function readStoredBytes({ raw, packed, dictionary }: StoredBytes): Buffer | null {
  if (raw !== null || packed === null) return raw
  if (dictionary === null) throw new Error('The dictionary that a message was packed with is missing.')
  if (packed[0] !== joinedMark[0]) return inflate(packed, dictionary)
  return withSoftBreaks(inflate(packed.subarray(1), dictionary))
}

/** The same for whoever can go on without: null, also where the bytes can't be read. */
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
