import { Unzip, UnzipInflate } from 'fflate'
import { createTurns } from '../clock.ts'
import { partAt } from './workbook-parts.ts'
import { type TakePiece, tooLargeWorkbook, UnreadableWorkbookError } from './workbook-xml.ts'

/** A workbook with many pictures has a few thousand files. */
const filesMax = 10_000
/** Deflate grows by a factor of 1,032 at most, so a step gives 2 MB at most, which takes about 15 ms. */
const stepBytes = 2 * 1024
/** The parser needs about 2 ms for a piece of this size. */
const pieceBytes = 64 * 1024
const turnMsMax = 10

interface UnpackedBytes {
  take: TakePiece
  bytes: Uint8Array
  isLast: boolean
}

/**
 * Unpacks the parts that `open` accepts, and yields after each piece of a part. The event loop serves others between the pieces.
 * Stops as soon as the caller does.
 */
export async function* unpack(
  raw: Uint8Array,
  open: (part: string) => TakePiece | null,
): AsyncGenerator<void, void, void> {
  const archive = new OpenArchive(open)
  const turn = createTurns(turnMsMax)
  for (let at = 0; at < raw.length; at += stepBytes) {
    for (const unpacked of archive.push(raw.subarray(at, at + stepBytes), at + stepBytes >= raw.length)) {
      for (const [piece, isLast] of eachPiece(unpacked)) {
        unpacked.take(piece, isLast)
        yield
        await turn()
      }
    }
    await turn()
  }
}

function* eachPiece({ bytes, isLast }: UnpackedBytes): Generator<[piece: Uint8Array, isLast: boolean]> {
  for (let at = 0; at < bytes.length - pieceBytes; at += pieceBytes) yield [bytes.subarray(at, at + pieceBytes), false]
  const rest = Math.max(0, Math.ceil(bytes.length / pieceBytes) - 1) * pieceBytes
  yield [bytes.subarray(rest), isLast]
}

class OpenArchive {
  readonly #unzip: Unzip
  readonly #opened = new Set<string>()
  #files = 0
  #unpacked: UnpackedBytes[] = []

  constructor(open: (part: string) => TakePiece | null) {
    this.#unzip = new Unzip((file) => {
      if (++this.#files > filesMax) throw tooLargeWorkbook()
      const part = partAt(file.name)
      const take = open(part)
      if (take === null) return
      if (this.#opened.has(part)) throw damaged()
      this.#opened.add(part)
      file.ondata = (error, bytes, isLast) => {
        if (error !== null) throw error
        this.#unpacked.push({ take, bytes, isLast })
      }
      file.start()
    })
    this.#unzip.register(UnzipInflate)
  }

  /** Returns the bytes of parts that this step unpacks. An error of the library means that the archive is broken or cut. */
  push(step: Uint8Array, isLast: boolean): UnpackedBytes[] {
    try {
      this.#unzip.push(step, isLast)
    } catch (error) {
      if (error instanceof UnreadableWorkbookError) throw error
      throw damaged()
    }
    const unpacked = this.#unpacked
    this.#unpacked = []
    return unpacked
  }
}

function damaged(): UnreadableWorkbookError {
  return new UnreadableWorkbookError('The workbook is damaged or incomplete. Save it again in a spreadsheet program.')
}
