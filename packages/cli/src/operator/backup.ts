import type { Command } from 'commander'
import { bringBackup, examineBackup, makeBackup } from '@overture/server/composition/backup.shell.ts'
import { finishRestore } from '@overture/server/composition/restore.commands.ts'
import { refuseDatabaseUrl } from '@overture/server/composition/open-app.shell.ts'
import { BackupError } from '@overture/server/platform/backup/backup.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { migrationState } from '@overture/server/platform/db/migrate.shell.ts'
import { CommandError, show, type OutputOptions } from '../output.ts'
import { ProgressLine } from '../progress-line.ts'
import { recordOperator } from './recorded.ts'
import { readSetting, withApp, type Setting } from './session.ts'

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('Back up the whole database to a file, also while the server runs')
    .argument('<file>', 'the file to write; it must not exist yet')
    .option('--include-key', 'include the encryption key; the file then gives access to every secret in it')
    .option('--json', 'print the result as JSON')
    .action(backUp)
}

export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('Restore a backup into an empty database. Live campaigns are paused, and live mail is held')
    .argument('<file>', 'a file written by overture backup')
    .option('--check', 'check the whole file without changing anything')
    .option('--json', 'print the result as JSON')
    .action(restore)
}

async function backUp(path: string, { includeKey = false, ...options }: OutputOptions & { includeKey?: boolean }) {
  const setting = readSetting()
  let isCurrent = false
  const written = await onDatabase(setting, async (url) => {
    const state = await migrationState({ url, log: setting.log })
    isCurrent = [state.pending, state.later, state.changed].every((names) => names.length === 0)
    return withProgress((onProgress) => makeBackup({ ...setting, url, path, includeKey, onProgress }))
  })
  // The log of a database of another release may have other columns.
  if (isCurrent)
    await withApp(({ app }) => recordOperator(app, app.db, { accountId: '', action: 'backup', targetId: null }))
  const { rows, tables, bytes, madeAt } = written
  show(
    { path, includesKey: includeKey, ...written },
    `${rows} rows of ${tables} tables as of ${madeAt}: ${bytes} bytes.`,
    options,
  )
}

async function restore(
  path: string,
  { check = false, ...options }: OutputOptions & { check?: boolean },
): Promise<void> {
  if (check) return checkFile(path, options)
  const setting = readSetting()
  const brought = await onDatabase(setting, (url) =>
    withProgress((onProgress) =>
      bringBackup({
        ...setting,
        url,
        path,
        onProgress: (done) => onProgress(done / 2),
        onLoaded: (done) => onProgress((1 + done) / 2),
      }),
    ),
  )
  let paused = 0
  await withApp(async ({ app }) => {
    const act = { accountId: '', action: 'restore', targetId: null }
    paused = (await finishRestore(app, (tx) => recordOperator(app, tx, act))) ?? 0
  })
  const { rows, madeAt } = brought
  show(
    { path, ...brought, paused },
    `Restored ${rows} rows as of ${madeAt}. ${paused} live campaigns are paused, and live mail is held until ` +
      'overture resume-after-restore. First compare with the Sent folders what was sent after the backup.',
    options,
  )
}

async function checkFile(path: string, options: OutputOptions): Promise<void> {
  const { config } = readSetting()
  const read = await refusing(() => withProgress((onProgress) => examineBackup(config, path, onProgress)))
  const { header, tables, isSealed, includedKey } = read
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const { madeAt, version, postgres, keyId } = header
  const facts = {
    path,
    madeAt,
    version,
    postgres,
    keyId,
    includesKey: includedKey !== null,
    rows,
    sealChecked: isSealed,
  }
  const seal = isSealed ? 'The seal is valid.' : `The seal was not checked, because key ${keyId} is not set.`
  show(
    facts,
    `The backup is complete: ${rows} rows of ${tables.length} tables as of ${madeAt}, by release ${version}. ${seal}`,
    options,
  )
}

/** Runs on the database as it is, without migrations. */
async function onDatabase<Result>({ config, log }: Setting, run: (url: string) => Promise<Result>): Promise<Result> {
  const { databaseUrl, dataDir } = config
  const postgres = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log, kind: 'command' }) : null
  try {
    return await refusing(() => run(databaseUrl ?? postgres?.url ?? ''))
  } catch (error) {
    if (databaseUrl === null || error instanceof CommandError) throw error
    return refuseDatabaseUrl(error)
  } finally {
    await postgres?.stop()
  }
}

async function refusing<Result>(run: () => Promise<Result>): Promise<Result> {
  return run().catch((error: unknown) => {
    throw error instanceof BackupError ? new CommandError(error.message) : error
  })
}

/** Shows a progress bar if stderr is a terminal. */
async function withProgress<Result>(run: (onProgress: (done: number) => void) => Promise<Result>): Promise<Result> {
  const { stderr } = process
  if (!stderr.isTTY) return run(() => undefined)
  const line = new ProgressLine(stderr)
  try {
    return await run((done) => line.show(done, 1))
  } finally {
    line.end()
  }
}
