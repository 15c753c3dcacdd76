import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { pack as createPack, type Pack } from 'tar-stream'
import { systemClock } from '../clock.ts'
import { createSecrets } from '../crypto/secrets.shell.ts'
import { version } from '../version.ts'
import {
  backupFormat,
  BackupError,
  headerEntry,
  keyEntry,
  manifestEntry,
  pieceName,
  sealedManifest,
  sealPurpose,
  type BackupHeader,
  type BackupManifest,
  type BackupTable,
  type TableDigest,
} from './backup.ts'
import {
  beginSnapshot,
  copyOut,
  findStoredFacts,
  hasSettings,
  listStoredMigrations,
  listStoredSequences,
  listStoredTables,
  listTableSizes,
} from './catalog.sql.ts'

interface WriteOptions {
  url: string
  /** The path of the new file, which must not exist yet. */
  path: string
  /** The encryption keys, including that of the database. The first one seals the backup. */
  keys: readonly string[]
  /** Null leaves the encryption key out of the file. */
  includedKey: string | null
  /** Receives the approximate progress, from 0 to 1. */
  onProgress?: (done: number) => void
}

export interface WrittenBackup {
  madeAt: string
  tables: number
  rows: number
  bytes: number
}

const pieceBytes = 4 * 1024 * 1024

/**
 * Writes the whole content of the database at one moment, while a server may be running. The file is either complete or absent.
 * Memory use is limited to one piece.
 */
export async function writeBackup(options: WriteOptions): Promise<WrittenBackup> {
  const { path, url } = options
  if ((await stat(path).catch(() => null)) !== null) throw new BackupError(`${path} already exists.`)
  const part = `${path}.part`
  const client = new pg.Client({ connectionString: url, application_name: 'overture backup' })
  client.on('error', () => undefined)
  await client.connect()
  const pack = createPack()
  // Removes the file of a killed backup. If other users can write to the folder, a link of that name must not be followed.
  await rm(part, { force: true })
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
  const writing = pipeline(pack, file)
  // A full disk also ends the archive, whose error only says that it has ended. So the first error is kept here.
  let diskFailure: Error | null = null
  writing.catch((error: Error) => (diskFailure = error))
  try {
    const written = await writeEntries(client, new EntryWriter(pack, writing), options)
    pack.finalize()
    await writing
    await rename(part, path)
    return { ...written, bytes: (await stat(path)).size }
  } catch (error) {
    const cause = diskFailure ?? error
    pack.destroy()
    await writing.catch(() => undefined)
    await rm(part, { force: true })
    throw cause
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function writeEntries(
  client: pg.Client,
  entries: EntryWriter,
  { keys, includedKey, onProgress = () => undefined }: WriteOptions,
): Promise<Omit<WrittenBackup, 'bytes'>> {
  await beginSnapshot(client)
  const header = await readHeader(client, keys)
  const headerText = JSON.stringify(header, null, 2)
  await entries.write(headerEntry, headerText)
  const sizes = await listTableSizes(client)
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 1)
  let before = 0
  const tables: TableDigest[] = []
  for (const table of header.tables) {
    const size = sizes.get(table.name) ?? 0
    tables.push(
      await copyTable(client, entries, {
        table,
        onBytes: (bytes) => onProgress((before + Math.min(bytes, size)) / total),
      }),
    )
    before += size
  }
  const keyText = includedKey === null ? null : `${includedKey}\n`
  if (keyText !== null) await entries.write(keyEntry, keyText)
  const manifest: BackupManifest = {
    headerSha256: sha256(headerText),
    keySha256: keyText === null ? null : sha256(keyText),
    tables,
  }
  const text = JSON.stringify(manifest)
  await entries.write(manifestEntry, sealedManifest(text, createSecrets(keys).signToken(sealPurpose, [sha256(text)])))
  onProgress(1)
  return { madeAt: header.madeAt, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) }
}

async function readHeader(client: pg.Client, keys: readonly string[]): Promise<BackupHeader> {
  if (!(await hasSettings(client))) throw new BackupError('The database is empty. There is nothing to back up.')
  const { postgres, keyId } = await findStoredFacts(client)
  const own = keys.map((key) => createSecrets([key]).keyId)
  if (keyId !== null && !own.includes(keyId))
    throw new BackupError(`The database was first used with key ${keyId}, but another key is set.`)
  return {
    format: backupFormat,
    madeAt: systemClock.now().toISOString(),
    version,
    postgres,
    keyId: keyId ?? own[0]!,
    migrations: await listStoredMigrations(client),
    tables: await listStoredTables(client),
    sequences: await listStoredSequences(client),
  }
}

interface TableCopy {
  table: BackupTable
  onBytes: (bytes: number) => void
}

async function copyTable(client: pg.Client, entries: EntryWriter, { table, onBytes }: TableCopy): Promise<TableDigest> {
  const rows = client.query(copyTo(copyOut(table)))
  const hash = createHash('sha256')
  let bytes = 0
  let pieces = 0
  for await (const piece of inPieces(rows)) {
    await entries.write(pieceName(table.name, ++pieces), piece, hash)
    bytes += piece.length
    onBytes(bytes)
  }
  return { name: table.name, rows: rows.rowCount, bytes, sha256: hash.digest('hex') }
}

/** Regroups chunks of any size into pieces, since an archive entry must have a known size. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < pieceBytes) continue
    yield Buffer.concat(held)
    held = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}

class EntryWriter {
  readonly #pack: Pack
  readonly #failed: Promise<never>

  constructor(pack: Pack, writing: Promise<void>) {
    this.#pack = pack
    this.#failed = writing.then(() => {
      throw new Error('The file was closed.')
    })
    this.#failed.catch(() => undefined)
  }

  /** Waits until the file has accepted the entry or has failed. */
  async write(name: string, content: string | Buffer, hash?: Hash): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    hash?.update(bytes)
    const written = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      entry.end(bytes)
    })
    await Promise.race([written, this.#failed])
  }
}

export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}
