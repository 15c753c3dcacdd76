import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { extract as createExtract, type Entry } from 'tar-stream'
import {
  BackupError,
  documentBytesMax,
  headerEntry,
  keyEntry,
  manifestEntry,
  parseHeader,
  parseManifest,
  parseEntry,
  type BackupHeader,
  type BackupTable,
  type TableDigest,
} from './backup.ts'
import { sha256 } from './write-backup.shell.ts'

/** Receives the rows of a table. */
export interface TableSink {
  write(bytes: Buffer): Promise<void>
  /** The number of received rows; null if they were not counted. */
  end(): Promise<number | null>
}

/** Receives the content of a backup, in the order of the file. */
interface BackupReader {
  begin(header: BackupHeader): Promise<void>
  table(table: BackupTable): TableSink
}

export interface ReadBackup {
  header: BackupHeader
  tables: readonly TableDigest[]
  /** The encryption key in the file. */
  includedKey: string | null
  /** The text that the seal signs, and the seal. */
  sealed: { text: string; seal: string }
}

/**
 * Reads a backup from its first to its last byte. Throws BackupError if the file is not a backup, is torn or was changed. Data
 * passed on before such an error must be discarded.
 */
export async function readBackup(
  path: string,
  reader: BackupReader,
  onProgress: (done: number) => void = () => undefined,
): Promise<ReadBackup> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${path} can't be read (${error.code}).`)
  })
  const file = createReadStream(path)
  const entries = createExtract()
  const reading = pipeline(file, entries)
  reading.catch(() => undefined)
  const contents = new Contents(reader)
  try {
    for await (const entry of entries) {
      await contents.take(entry)
      onProgress(file.bytesRead / Math.max(1, size))
    }
    await reading
    return contents.whole()
  } catch (error) {
    throw toRefusal(error as Error, path)
  } finally {
    file.destroy()
  }
}

// The messages of the archive reader for a file that is not an archive, or that ends in the middle of one.
const notAnArchive = /Invalid tar header|Unexpected end of data|Header exceeds|Invalid header|Premature close/

function toRefusal(error: Error, path: string): Error {
  if (error instanceof BackupError) return new BackupError(`${path} ${error.message.replace(/\.$/, '')}.`)
  if (!notAnArchive.test(error.message)) return error
  const ends = error.message.startsWith('Unexpected end')
  return new BackupError(ends ? `${path} is incomplete.` : `${path} is not a backup of Overture.`)
}

/** The state of reading: the entries so far, and the entries that may come next. */
class Contents {
  readonly #reader: BackupReader
  #header: BackupHeader | null = null
  #headerSha256 = ''
  #begun: BegunTable | null = null
  readonly #tables: (TableDigest & { counted: boolean })[] = []
  #key: string | null = null
  #manifest: ReturnType<typeof parseManifest> | null = null

  constructor(reader: BackupReader) {
    this.#reader = reader
  }

  async take(entry: Entry): Promise<void> {
    const { name, size = 0 } = entry.header
    const piece = parseEntry(name)
    if (this.#header === null) return this.#takeHeader(name, entry, size)
    if (this.#manifest !== null) throw new BackupError('is damaged: it has data after its end')
    if (piece !== null) return this.#takePiece(piece, entry)
    await this.#endTable()
    const text = (await readAll(entry, size)).toString('utf8')
    if (name === keyEntry && this.#key === null) this.#key = text
    else if (name === manifestEntry) this.#manifest = parseManifest(text)
    else throw new BackupError(`is damaged: ${JSON.stringify(name)} is unexpected`)
  }

  /** Returns the result if every entry is present and unchanged. */
  whole(): ReadBackup {
    if (this.#header === null) throw new BackupError('is not a backup of Overture')
    if (this.#manifest === null) throw new BackupError('is incomplete')
    const { manifest, text, seal } = this.#manifest
    const key = this.#key
    if (manifest.headerSha256 !== this.#headerSha256) throw new BackupError('was changed: its beginning differs')
    if (manifest.keySha256 !== (key === null ? null : sha256(key)))
      throw new BackupError('was changed: its key differs')
    if (manifest.tables.length !== this.#tables.length || this.#tables.length !== this.#header.tables.length)
      throw new BackupError('is damaged: tables are missing')
    for (const [index, table] of this.#tables.entries()) requireSame(table, manifest.tables[index]!)
    return { header: this.#header, tables: manifest.tables, includedKey: key?.trim() ?? null, sealed: { text, seal } }
  }

  async #takeHeader(name: string, entry: Entry, size: number): Promise<void> {
    if (name !== headerEntry) throw new BackupError('is not a backup of Overture')
    const text = (await readAll(entry, size)).toString('utf8')
    this.#headerSha256 = sha256(text)
    this.#header = parseHeader(text)
    await this.#reader.begin(this.#header)
  }

  async #takePiece({ table, number }: { table: string; number: number }, entry: Entry): Promise<void> {
    if (this.#begun?.table.name !== table) {
      await this.#endTable()
      this.#begun = this.#beginTable(table)
    }
    const begun = this.#begun
    if (number !== ++begun.pieces || this.#key !== null)
      throw new BackupError(`is damaged: pieces of ${table} are missing`)
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      begun.hash.update(chunk)
      begun.bytes += chunk.length
      await begun.sink.write(chunk)
    }
  }

  #beginTable(name: string): BegunTable {
    const table = this.#header?.tables[this.#tables.length]
    if (table?.name !== name) throw new BackupError(`is damaged: ${name} is out of order`)
    return { table, sink: this.#reader.table(table), hash: createHash('sha256'), bytes: 0, pieces: 0 }
  }

  async #endTable(): Promise<void> {
    const begun = this.#begun
    if (begun === null) return
    this.#begun = null
    const { table, sink, hash, bytes } = begun
    const rows = await sink.end()
    this.#tables.push({ name: table.name, rows: rows ?? 0, counted: rows !== null, bytes, sha256: hash.digest('hex') })
  }
}

interface BegunTable {
  table: BackupTable
  sink: TableSink
  hash: Hash
  bytes: number
  pieces: number
}

function requireSame(read: TableDigest & { counted: boolean }, written: TableDigest): void {
  const same = read.name === written.name && read.bytes === written.bytes && read.sha256 === written.sha256
  if (!same) throw new BackupError(`was changed: ${read.name} differs`)
  if (read.counted && read.rows !== written.rows)
    throw new BackupError(`contains ${read.rows} rows of ${read.name} instead of ${written.rows}`)
}

async function readAll(entry: AsyncIterable<unknown>, size: number): Promise<Buffer> {
  if (size > documentBytesMax) throw new BackupError('is not a backup of Overture')
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
