import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { systemClock } from '../clock.ts'
import type { Secrets } from '../crypto/secrets.shell.ts'
import { migrate, migrationState, migrationsLock } from '../db/migrate.shell.ts'
import type { Logger } from '../log.shell.ts'
import { BackupError, sealPurpose, type BackupHeader, type BackupTable } from './backup.ts'
import {
  addForeignKeys,
  beginRestore,
  copyIn,
  createMonths,
  deleteSeeds,
  dropForeignKeys,
  listFilledTables,
  listForeignRelations,
  listStoredMigrations,
  listStoredTables,
  markRestored,
  updateSequence,
} from './catalog.sql.ts'
import { readBackup, type ReadBackup, type TableSink } from './read-backup.shell.ts'
import { sha256 } from './write-backup.shell.ts'

interface RestoreOptions {
  url: string
  log: Logger
  path: string
  /** The result of `checkBackup` for the same file. */
  checked: ReadBackup
  folder?: string
  onProgress?: (done: number) => void
}

/** Reads the whole file without storing anything. */
export async function checkBackup(path: string, onProgress?: (done: number) => void): Promise<ReadBackup> {
  const nowhere: TableSink = { write: () => Promise.resolve(), end: () => Promise.resolve(null) }
  return readBackup(path, { begin: () => Promise.resolve(), table: () => nowhere }, onProgress)
}

/** Throws BackupError if the file was made without the key, or was changed since. */
export function requireSeal({ sealed, header }: ReadBackup, secrets: Secrets): void {
  const fields = secrets.verifyToken(sealPurpose, sealed.seal)
  if (fields?.[0] === sha256(sealed.text)) return
  throw new BackupError(`The backup was changed after it was made with key ${header.keyId}. Its seal is not valid.`)
}

/** Tables with rows from migrations and the first connection; the backup has its own rows for them. */
const seeded: readonly string[] = ['event_looks', 'settings']

/**
 * Restores a backup into an empty database, in one transaction: either completely, or only empty tables remain. Sending is held
 * from the first moment. If the backup is from an older release, the newer migrations are applied afterwards.
 */
export async function restoreBackup(options: RestoreOptions): Promise<{ rows: number; applied: string[] }> {
  const { url, log, checked, folder } = options
  const names = checked.header.migrations.map(({ name }) => name)
  const files = { url, log, ...(folder !== undefined && { folder }) }
  refuseOtherRelease(checked.header, await migrationState(files))
  const client = new pg.Client({ connectionString: url, application_name: 'overture restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseFull(client)
    await migrate({ ...files, only: names })
    const rows = await load(client, options)
    return { rows, applied: await migrate(files) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function refuseOtherRelease(
  { migrations, version }: BackupHeader,
  { applied, pending }: { applied: string[]; pending: string[] },
): void {
  const known = new Set([...applied, ...pending])
  const [missing] = migrations.filter(({ name }) => !known.has(name))
  if (missing === undefined) return
  throw new BackupError(
    `The backup was made by release ${version} with ${missing.name}, which this release does not know. Restore it with that release.`,
  )
}

async function refuseFull(client: pg.Client): Promise<void> {
  const [foreign] = await listForeignRelations(client)
  if (foreign !== undefined) throw notEmpty(`this one has a table ${foreign}`)
  const tables = (await listStoredTables(client)).map(({ name }) => name).filter((name) => !seeded.includes(name))
  const [filled] = await listFilledTables(client, tables)
  if (filled !== undefined) throw notEmpty(`${filled} has rows`)
}

function notEmpty(why: string): BackupError {
  return new BackupError(`A backup can be restored only into an empty database, but ${why}. Create a new database.`)
}

async function load(client: pg.Client, { path, checked, onProgress }: RestoreOptions): Promise<number> {
  await beginRestore(client, migrationsLock)
  try {
    await refuseFull(client)
    await refuseOtherSchema(client, checked.header)
    await deleteSeeds(client, seeded)
    const foreignKeys = await dropForeignKeys(client)
    const begin = async ({ tables }: BackupHeader) => {
      for (const table of tables)
        if (!(await createMonths(client, table))) throw new BackupError(`is damaged: ${table.name} has no months`)
    }
    const read = await readBackup(path, { begin, table: (table) => createSink(client, table) }, onProgress)
    if (read.sealed.text !== checked.sealed.text) throw new BackupError(`${path} was changed while it was read.`)
    await addForeignKeys(client, foreignKeys)
    for (const sequence of read.header.sequences) await updateSequence(client, sequence)
    await markRestored(client, { madeAt: read.header.madeAt, at: systemClock.now().toISOString() })
    await client.query('commit')
    await client.query('analyze')
    return read.tables.reduce((sum, { rows }) => sum + rows, 0)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function refuseOtherSchema(client: pg.Client, header: BackupHeader): Promise<void> {
  const here = new Map((await listStoredMigrations(client)).map(({ name, checksum }) => [name, checksum]))
  const other = header.migrations.find(({ name, checksum }) => here.get(name) !== checksum)
  if (other !== undefined)
    throw new BackupError(`The database of the backup has another ${other.name} than this release.`)
  if (here.size !== header.migrations.length) throw notEmpty('it belongs to a newer release than the backup')
  const described = (tables: readonly BackupTable[]) =>
    tables.map(({ name, columns }) => `${name}(${columns.toSorted().join(',')})`).toSorted()
  const [there, expected] = [described(header.tables), described(await listStoredTables(client))]
  const [odd] = [
    ...there.filter((table) => !expected.includes(table)),
    ...expected.filter((table) => !there.includes(table)),
  ]
  if (odd !== undefined) throw new BackupError(`The backup's tables are not those of its release: ${odd}.`)
}

function createSink(client: pg.Client, table: BackupTable): TableSink {
  const stream = client.query(copyFrom(copyIn(table)))
  let failure: Error | null = null
  const failed = new Promise<never>((_resolve, reject) => {
    stream.on('error', (error) => {
      failure = error
      reject(refusedRows(table, error))
    })
  })
  failed.catch(() => undefined)
  return {
    async write(bytes) {
      if (failure !== null) throw refusedRows(table, failure)
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), failed])
    },
    async end() {
      const ended = new Promise<void>((resolve) => stream.once('finish', resolve))
      stream.end()
      await Promise.race([ended, failed])
      return stream.rowCount
    },
  }
}

function refusedRows({ name }: BackupTable, error: Error): BackupError {
  return new BackupError(
    `has rows of ${name} that the database refuses (${(error as { code?: string }).code ?? 'no answer'})`,
  )
}
