import { createHash, type Hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ExportTable } from '@overture/contract/exports/exports.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import { ExportLines, isInSpan } from './export-lines.shell.ts'
import { beginFile, storeChunk } from './exports.commands.ts'
import type { ExportRecord } from './exports.sql.ts'
import { exportSources } from './sources.queries.ts'

/** A part of a file is compressed and stored when it has this size. */
const chunkBytesMin = 1024 * 1024
/** How often the progress is stored if no row is in the span of the export. */
const pagesBetweenWrites = 40
/** Low, because the files are written while others wait for the processor. */
const compression = { level: 3 }
const pack = promisify(gzip)

/** Thrown when the export was deleted, a person was erased, or another worker has begun to write it. */
export class RunEnded extends Error {}

/**
 * Writes one file from its beginning. The rows are read in one snapshot, so the file shows one moment. It is written in other
 * transactions: the progress is visible, and the memory depends only on the size of a page.
 */
export async function writeFile(context: JobContext, row: ExportRecord, content: ExportTable): Promise<void> {
  const { app, tenant, now, signal } = context
  await app.db.transaction(
    async (snapshot) => {
      const writer = new FileWriter(context, row, content)
      await writer.begin()
      for await (const page of exportSources[content]({ app, db: snapshot, tenant, now })) {
        signal.throwIfAborted()
        await writer.add(page.filter((one) => isInSpan(one, row)))
      }
      await writer.end()
    },
    { oneSnapshot: true },
  )
}

class FileWriter {
  readonly #context: JobContext
  readonly #run: ExportRecord
  readonly #content: ExportTable
  readonly #lines: ExportLines
  readonly #hash: Hash = createHash('sha256')
  #buffered: Buffer[] = []
  #bufferedBytes = 0
  #pages = 0
  #chunks = 0
  #rows = 0
  #bytes = 0

  constructor(context: JobContext, run: ExportRecord, content: ExportTable) {
    this.#context = context
    this.#run = run
    this.#content = content
    this.#lines = new ExportLines(content, run.format)
  }

  async begin(): Promise<void> {
    const { app, tenant } = this.#context
    const key = { run: this.#run, content: this.#content }
    if (!(await app.db.transaction((tx) => beginFile(tx, tenant, key)))) throw new RunEnded()
  }

  async add(rows: Parameters<ExportLines['write']>[0]): Promise<void> {
    this.#push(this.#lines.write(rows))
    this.#rows += rows.length
    this.#pages++
    if (this.#bufferedBytes >= chunkBytesMin || this.#pages % pagesBetweenWrites === 0) await this.#store(null)
  }

  async end(): Promise<void> {
    this.#push(this.#lines.end())
    await this.#store(this.#hash)
  }

  #push(text: string): void {
    const bytes = Buffer.from(text)
    if (bytes.length === 0) return
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    this.#buffered.push(bytes)
    this.#bufferedBytes += bytes.length
  }

  async #store(complete: Hash | null): Promise<void> {
    const { app, tenant } = this.#context
    const packed = this.#bufferedBytes === 0 ? null : await pack(Buffer.concat(this.#buffered), compression)
    this.#buffered = []
    this.#bufferedBytes = 0
    const sha256 = complete?.digest() ?? null
    const file = { exportId: this.#run.id, content: this.#content, rows: this.#rows, bytes: this.#bytes, sha256 }
    const chunk = packed === null ? null : { position: this.#chunks++, packed }
    const stored = { run: this.#run, file, chunk }
    if (!(await app.db.transaction((tx) => storeChunk(tx, tenant, stored)))) throw new RunEnded()
  }
}
