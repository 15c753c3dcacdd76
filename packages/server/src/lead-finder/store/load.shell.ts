import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Dataset } from './finder-store.sql.ts'
import { KnownCompanies } from '../records/known-companies.ts'
import { parseRow, type CompanyRecord, type PersonRecord } from '../records/records.ts'
import { storeBatch, type Batch } from './store.commands.ts'

const batchRows = 5_000
const lineLengthMax = 1_000_000
const rowsAtOnce = 500

export interface LoadProgress {
  bytesRead: number
  bytesTotal: number
  rows: number
  bad: number
}

interface LoadOptions {
  dataset?: Dataset
  /** Our field name → the file's, for files with other names. */
  mapping?: Readonly<Record<string, string>>
  /** Called after every batch. */
  progress?: (progress: LoadProgress) => void
  /** Records who loads the file, in the transaction of the first batch. */
  recorded?: (tx: Transaction) => Promise<void>
  /** The file for bad rows, with one JSON line and reason per row. It is created for the first one. */
  badRowsPath?: string
}

interface LoadSummary {
  rows: number
  peopleAdded: number
  peopleChanged: number
  companiesAdded: number
  companiesChanged: number
  bad: number
  badRowsPath: string | null
}

/**
 * Streams people or companies from CSV or JSON Lines, optionally gzipped, into the store with bounded memory. Rows are identified
 * by their id, so loading a file again writes only differences. Bad rows are counted and written to a file.
 */
export async function loadPeopleFile(
  app: Pick<App, 'db'>,
  path: string,
  options: LoadOptions = {},
): Promise<LoadSummary> {
  const load = new Load(app, path, { ...options, bytesTotal: (await stat(path)).size })
  for await (const rows of readRows(path, (bytes) => load.countBytes(bytes))) {
    for (const row of rows) {
      const busy = load.take(row)
      if (busy !== null) await busy
    }
  }
  return load.finish()
}

/** The load of one file. Rows are collected in a batch, which is written while the next one is read. */
class Load {
  readonly #app: Pick<App, 'db'>
  readonly #options: LoadOptions
  readonly #badRows: BadRows
  readonly #known = new KnownCompanies()
  readonly #progress: LoadProgress
  readonly #stored = { peopleAdded: 0, peopleChanged: 0, companiesAdded: 0, companiesChanged: 0 }
  #people: PersonRecord[] = []
  #companies: CompanyRecord[] = []
  #writing = Promise.resolve()
  #isRecorded = false

  constructor(app: Pick<App, 'db'>, path: string, options: LoadOptions & { bytesTotal: number }) {
    this.#app = app
    this.#options = options
    this.#badRows = new BadRows(options.badRowsPath ?? `${path}.bad.jsonl`)
    this.#progress = { bytesRead: 0, bytesTotal: options.bytesTotal, rows: 0, bad: 0 }
  }

  countBytes(count: number): void {
    this.#progress.bytesRead += count
  }

  /** Adds a row. Returns null if another can follow at once, else a promise that resolves when there is room. */
  take(row: FileRow): Promise<void> | null {
    this.#progress.rows += 1
    const parsed = row.kind === 'row' ? parseRow(row.value, this.#options.mapping, this.#known) : row
    if (parsed.kind === 'bad') {
      this.#progress.bad += 1
      const value = row.kind === 'row' ? row.value : row.text
      return this.#badRows.write({ row: this.#progress.rows, reason: parsed.reason, value })
    }
    if (parsed.kind === 'person') this.#people.push(parsed.person)
    if (parsed.company !== null) this.#companies.push(parsed.company)
    return Math.max(this.#people.length, this.#companies.length) >= batchRows ? this.#flush() : null
  }

  async finish(): Promise<LoadSummary> {
    await this.#flush()
    await this.#writing
    const { rows, bad } = this.#progress
    return { ...this.#stored, rows, bad, badRowsPath: await this.#badRows.close() }
  }

  async #flush(): Promise<void> {
    await this.#writing
    const batch = { people: this.#people, companies: this.#companies }
    this.#people = []
    this.#companies = []
    if (batch.people.length + batch.companies.length === 0) return
    this.#writing = this.#write(batch)
    // Awaited before the next batch and at the end. Until then a failure must not count as unhandled.
    this.#writing.catch(() => undefined)
  }

  async #write(batch: Batch): Promise<void> {
    const { dataset = 'live', recorded } = this.#options
    const result = await this.#app.db.transaction(async (tx) => {
      if (!this.#isRecorded) await recorded?.(tx)
      return storeBatch(tx, dataset, batch)
    })
    this.#isRecorded = true
    this.#stored.peopleAdded += result.peopleAdded
    this.#stored.peopleChanged += result.peopleChanged
    this.#stored.companiesAdded += result.companiesAdded
    this.#stored.companiesChanged += result.companiesChanged
    this.#options.progress?.({ ...this.#progress })
  }
}

type FileRow = { kind: 'row'; value: Record<string, unknown> } | { kind: 'bad'; reason: string; text: string }

async function* readRows(path: string, onBytes: (count: number) => void): AsyncGenerator<FileRow[]> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  file.on('data', (chunk) => onBytes(chunk.length))
  const isGzip = path.endsWith('.gz')
  const plain = new PassThrough()
  // A broken file ends the reader below with the same error.
  const copying = (isGzip ? pipeline(file, createGunzip(), plain) : pipeline(file, plain)).catch((error: Error) => {
    plain.destroy(error)
  })
  yield* /\.csv(\.gz)?$/i.test(path) ? readCsv(plain) : readJsonLines(plain)
  await copying
}

async function* readCsv(input: Readable): AsyncGenerator<FileRow[]> {
  let rows: FileRow[] = []
  const parser = input.pipe(
    parse({
      columns: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: lineLengthMax,
      // A quote inside a field is a part of it: 5" pipes, Robert "Bob" Smith.
      relax_quotes: true,
      skip_records_with_error: true,
      on_skip: (error) => void rows.push({ kind: 'bad', reason: error?.message ?? 'not CSV', text: '' }),
    }),
  )
  input.on('error', (error) => parser.destroy(error))
  for await (const value of parser) {
    rows.push({ kind: 'row', value: value as Record<string, unknown> })
    if (rows.length < rowsAtOnce) continue
    yield rows
    rows = []
  }
  yield rows
}

async function* readJsonLines(input: Readable): AsyncGenerator<FileRow[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + decoder.write(chunk as Buffer)).split(/\r\n?|\n/)
    rest = lines.pop() ?? ''
    // The beginning of a line that is too long is reported. Its rest becomes a line that is not an object.
    if (rest.length > lineLengthMax) lines.push(rest)
    if (rest.length > lineLengthMax) rest = ''
    yield lines.flatMap(readLine)
  }
  yield readLine(rest + decoder.end())
}

function readLine(line: string): FileRow[] {
  const text = line.trim()
  return text === '' ? [] : [readJson(text)]
}

function readJson(text: string): FileRow {
  if (text.length > lineLengthMax) return { kind: 'bad', reason: 'line too long', text: text.slice(0, 200) }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { kind: 'row', value: value as Record<string, unknown> }
    }
  } catch {
    // Reported below, like every line that is not an object.
  }
  return { kind: 'bad', reason: 'not a JSON object', text: text.slice(0, 2_000) }
}

class BadRows {
  readonly #path: string
  #stream: WriteStream | null = null

  constructor(path: string) {
    this.#path = path
  }

  async write(entry: unknown): Promise<void> {
    this.#stream ??= createWriteStream(this.#path)
    if (!this.#stream.write(`${JSON.stringify(entry)}\n`)) await once(this.#stream, 'drain')
  }

  async close(): Promise<string | null> {
    if (!this.#stream) return null
    this.#stream.end()
    await finished(this.#stream)
    return this.#path
  }
}
