import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../platform/backup/backup.ts'
import { checkBackup, requireSeal, restoreBackup } from '../platform/backup/restore-backup.shell.ts'
import type { ReadBackup } from '../platform/backup/read-backup.shell.ts'
import { writeBackup, type WrittenBackup } from '../platform/backup/write-backup.shell.ts'
import { systemClock } from '../platform/clock.ts'
import { ConfigError, type Config } from '../platform/config.ts'
import { readKeyFile, writeKeyFile } from '../platform/crypto/key-file.shell.ts'
import { createSecrets } from '../platform/crypto/secrets.shell.ts'
import { migrationState } from '../platform/db/migrate.shell.ts'
import { createDatabase } from '../platform/db/pool.client.ts'
import type { Logger } from '../platform/log.shell.ts'
import { upsertLastBackup } from './open-app.sql.ts'

interface BackupOptions {
  config: Config
  log: Logger
  /** The URL of the database, also of the embedded one. */
  url: string
  path: string
  onProgress?: (done: number) => void
}

/** Writes a backup of the whole database, sealed with its key. It can be made at any release of the schema. */
export async function makeBackup(options: BackupOptions & { includeKey?: boolean }): Promise<WrittenBackup> {
  const { config, log, url, path, includeKey = false, onProgress } = options
  const keys = await listKeys(config)
  if (keys.length === 0)
    throw new BackupError(`Neither OVERTURE_ENCRYPTION_KEY nor ${config.dataDir}/encryption.key exists.`)
  if (includeKey && keys.length > 1)
    throw new BackupError('--include-key: several keys are set. Run overture secrets rotate, then keep only one.')
  const includedKey = includeKey ? keys[0]! : null
  const written = await writeBackup({ url, path, keys, includedKey, ...(onProgress && { onProgress }) })
  const db = createDatabase({ url, log, connectionsMax: 1 })
  try {
    await upsertLastBackup(db, written.madeAt)
  } finally {
    await db.close()
  }
  return written
}

/** Checks that the file is complete and unchanged. The seal is checked only if its key is available. */
export async function examineBackup(
  config: Config,
  path: string,
  onProgress?: (done: number) => void,
): Promise<ReadBackup & { isSealed: boolean }> {
  const read = await checkBackup(path, onProgress)
  const keys = matching(read, await listKeys(config))
  if (keys !== null) requireSeal(read, createSecrets(keys))
  return { ...read, isSealed: keys !== null }
}

interface RestoreOptions extends BackupOptions {
  /** Progress of the second half, in which the rows are loaded into the database. */
  onLoaded?: (done: number) => void
}

export async function bringBackup(
  options: RestoreOptions,
): Promise<{ rows: number; applied: string[]; madeAt: string }> {
  const { config, log, url, path, onProgress, onLoaded } = options
  const checked = await checkBackup(path, onProgress)
  const own = await listKeys(config)
  const keys = matching(checked, own)
  const { keyId, madeAt } = checked.header
  if (keys === null)
    throw new BackupError(
      own.length === 0
        ? `The backup was made with key ${keyId}: set OVERTURE_ENCRYPTION_KEY to it, or put its encryption.key into ${config.dataDir}.`
        : `The backup was made with key ${keyId}, but another key is set.`,
    )
  requireSeal(checked, createSecrets(keys))
  const restored = await restoreBackup({ url, log, path, checked, ...(onLoaded && { onProgress: onLoaded }) })
  // Written after the rows: a key file without its rows would make the next try fail.
  if (own.length === 0) await writeKeyFile(config.dataDir, keys[0]!)
  return { ...restored, madeAt }
}

/** Returns the configured keys if the backup's is among them, or the included key if none is configured. Null: no key fits. */
function matching({ header, includedKey }: ReadBackup, own: readonly string[]): readonly string[] | null {
  const keys = own.length === 0 && includedKey !== null ? [includedKey] : own
  return keys.some((key) => createSecrets([key]).keyId === header.keyId) ? keys : null
}

async function listKeys(config: Config): Promise<readonly string[]> {
  if (config.encryptionKeys.length > 0) return config.encryptionKeys
  const key = await readKeyFile(config.dataDir)
  return key === null ? [] : [key]
}

/** Backs up an embedded database before an upgrade, so that the operator can return to the release before. */
export async function keepBeforeUpgrade(options: Omit<BackupOptions, 'path'>): Promise<string | null> {
  const { config, log, url } = options
  const kept = config.upgradeBackups
  if (kept === 0) return null
  const { applied, pending, later, changed } = await migrationState({ url, log })
  const [first] = pending
  if (first === undefined || applied.length === 0 || later.length > 0 || changed.length > 0) return null
  const folder = join(config.dataDir, 'backups')
  const time = systemClock.now().toISOString().replaceAll(/[:.]/g, '-')
  const path = join(folder, `before-upgrade-${time}.tar`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { rows, bytes } = await makeBackup({ ...options, path })
    log.info({ event: 'database.backed_up', path, rows, bytes, before: first })
  } catch (error) {
    throw new ConfigError([
      `OVERTURE_UPGRADE_BACKUPS: the backup before the upgrade to ${folder} failed: ` +
        `${(error as Error).message.replace(/\.?$/, '.')} Nothing was changed. Free disk space, or set 0 if you have your own backup.`,
    ])
  }
  await forgetOldest(folder, kept)
  return path
}

async function forgetOldest(folder: string, kept: number): Promise<void> {
  const all = (await readdir(folder)).filter((name) => /^before-upgrade-[\dTZ-]+\.tar$/.test(name)).toSorted()
  for (const name of all.slice(0, Math.max(0, all.length - kept))) await rm(join(folder, name))
}
