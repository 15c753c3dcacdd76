import { Gunzip, Unzip, UnzipInflate } from 'fflate'
import { RefusedReport, reportLimits } from './report-limits.ts'

/** Packed bytes that are unpacked at once. Deflate grows by a factor of 1,032 at most, so one step gives 17 MB at most. */
const stepBytes = 16 * 1024
const gzipMark = [0x1f, 0x8b]
const zipMark = [0x50, 0x4b]
/** The bit of a ZIP entry that says it is encrypted. */
const encryptedBit = 1

/**
 * Unpacks XML, gzip or ZIP step by step, and passes each piece to `take`. Throws as soon as the limit is exceeded, so an archive
 * that grows without end costs no more than the limit.
 */
export function unpackReport(raw: Uint8Array, take: (piece: Uint8Array) => void): void {
  if (raw.length > reportLimits.packedBytes) throw new RefusedReport('too_large')
  let bytes = 0
  const bounded = (piece: Uint8Array) => {
    bytes += piece.length
    if (bytes > reportLimits.unpackedBytes) throw new RefusedReport('too_large')
    if (piece.length > 0) take(piece)
  }
  if (beginsWith(raw, gzipMark)) return unpackGzip(raw, bounded)
  if (beginsWith(raw, zipMark)) return unpackZip(raw, bounded)
  for (const step of splitSteps(raw)) bounded(step)
}

function beginsWith(raw: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => raw[at] === byte)
}

function* splitSteps(raw: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < raw.length; at += stepBytes) yield raw.subarray(at, at + stepBytes)
}

function unpackGzip(raw: Uint8Array, take: (piece: Uint8Array) => void): void {
  const gunzip = new Gunzip((piece) => take(piece))
  const steps = Math.ceil(raw.length / stepBytes)
  let at = 0
  for (const step of splitSteps(raw)) pushed(() => gunzip.push(step, ++at === steps))
}

function unpackZip(raw: Uint8Array, take: (piece: Uint8Array) => void): void {
  let files = 0
  const unzip = new Unzip((file) => {
    if (file.name.endsWith('/')) return
    if (++files > 1) throw new RefusedReport('several_files')
    file.ondata = (error, piece) => {
      if (error !== null) throw error
      take(piece)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  // The bit is in the header of the first entry. An encrypted report can't be read.
  if (((raw[6] ?? 0) & encryptedBit) !== 0) throw new RefusedReport('broken_archive')
  const steps = Math.ceil(raw.length / stepBytes)
  let at = 0
  for (const step of splitSteps(raw)) pushed(() => unzip.push(step, ++at === steps))
  if (files === 0) throw new RefusedReport('no_report_in_archive')
}

/** An error of the library means that the archive is broken or cut. */
function pushed(push: () => void): void {
  try {
    push()
  } catch (error) {
    throw error instanceof RefusedReport ? error : new RefusedReport('broken_archive')
  }
}
