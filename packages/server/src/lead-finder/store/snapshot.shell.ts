import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Columns, Dictionaries, SegmentData } from '@overture/people-index/records/columns.ts'

/** The store and the version of a snapshot. */
interface SnapshotStamp {
  generation: string
  version: number
}

const magic = 'overture-lead-index-1\n'
const alignment = 8
const digestLength = 32

const arrayTypes = { Uint8Array, Uint32Array, Int32Array, Float64Array } as const
type TypedArray = InstanceType<(typeof arrayTypes)[keyof typeof arrayTypes]>

interface Header extends SnapshotStamp {
  arrays: { name: keyof Columns; type: keyof typeof arrayTypes; offset: number; length: number }[]
  dictionaries: { offset: number; length: number }
  total: number
}

/** Writes a temporary file and renames it, so that a crash leaves either the old or the new file, never a part of one. */
export async function writeSnapshot(path: string, data: SegmentData, stamp: SnapshotStamp): Promise<void> {
  const { header, parts } = layOut(data, stamp)
  const hash = createHash('sha256')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.part`
  const file = await open(temporary, 'w', 0o600)
  try {
    for (const part of [header, ...parts]) {
      hash.update(part)
      await file.writev([part])
    }
    await file.writev([hash.digest()])
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

/** Null if there is no snapshot, or if it is incomplete, of another format or of another store. */
export async function readSnapshot(
  path: string,
  generation: string,
): Promise<{ data: SegmentData; version: number } | null> {
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null || bytes.length < magic.length + 4 + digestLength) return null
  const body = bytes.subarray(0, bytes.length - digestLength)
  const digest = createHash('sha256').update(body).digest()
  if (!digest.equals(bytes.subarray(body.length)) || body.toString('latin1', 0, magic.length) !== magic) return null
  const headerLength = body.readUInt32LE(magic.length)
  const start = magic.length + 4
  const header = JSON.parse(body.toString('utf8', start, start + headerLength)) as Header
  if (header.generation !== generation) return null
  const payload = align(start + headerLength)
  // A copy, because views must begin at a multiple of their element's size, which a pooled Buffer doesn't guarantee.
  const copy = new ArrayBuffer(body.length - payload)
  new Uint8Array(copy).set(body.subarray(payload))
  const columns = Object.fromEntries(
    header.arrays.map(({ name, type, offset, length }) => [name, new arrayTypes[type](copy, offset, length)]),
  ) as unknown as Columns
  const text = Buffer.from(copy, header.dictionaries.offset, header.dictionaries.length).toString('utf8')
  return { data: { columns, dictionaries: JSON.parse(text) as Dictionaries }, version: header.version }
}

function layOut(data: SegmentData, stamp: SnapshotStamp): { header: Buffer; parts: Uint8Array[] } {
  const parts: Uint8Array[] = []
  const arrays: Header['arrays'] = []
  let offset = 0
  const add = (bytes: Uint8Array) => {
    const padded = align(bytes.length)
    parts.push(bytes)
    if (padded > bytes.length) parts.push(new Uint8Array(padded - bytes.length))
    offset += padded
  }
  for (const [name, array] of Object.entries(data.columns) as [keyof Columns, TypedArray][]) {
    arrays.push({ name, type: array.constructor.name as keyof typeof arrayTypes, offset, length: array.length })
    add(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }
  const text = Buffer.from(JSON.stringify(data.dictionaries))
  const dictionaries = { offset, length: text.length }
  add(text)
  const json = Buffer.from(JSON.stringify({ ...stamp, arrays, dictionaries, total: offset } satisfies Header))
  const header = Buffer.alloc(align(magic.length + 4 + json.length))
  header.write(magic, 'latin1')
  header.writeUInt32LE(json.length, magic.length)
  json.copy(header, magic.length + 4)
  return { header, parts }
}

function align(offset: number): number {
  return Math.ceil(offset / alignment) * alignment
}
