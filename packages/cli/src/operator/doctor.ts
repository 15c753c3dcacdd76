import { existsSync } from 'node:fs'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { findDisagreementsAcrossAccounts } from '@overture/server/credits/index.ts'
import { findLastBackup } from '@overture/server/composition/open-app.sql.ts'
import { openSecrets } from '@overture/server/composition/open-app.shell.ts'
import type { Config } from '@overture/server/platform/config.ts'
import { isPublicUrl } from '@overture/server/platform/public-url.ts'
import type { Database, Executor } from '@overture/server/platform/db/database.ts'
import { clockSkewMsMax } from '@overture/server/platform/db/clock-skew.sql.ts'
import { errorCode } from '@overture/server/platform/db/errors.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { migrationState } from '@overture/server/platform/db/migrate.shell.ts'
import { findSendingHold, type SendingHold } from '@overture/server/platform/db/history.sql.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { isTransactionPooler, openSession } from '@overture/server/platform/db/pooler.client.ts'
import { Replica } from '@overture/server/platform/replica/replica.client.ts'
import type { Logger } from '@overture/server/platform/log.shell.ts'
import { version } from '@overture/server/platform/version.ts'
import { broken, ok, warning, type Check } from './checks.ts'
import {
  countTroubleAcrossAccounts,
  findConnectionFacts,
  findDatabaseFacts,
  findDurability,
  listConnectedReleases,
  listRefusingProvidersAcrossAccounts,
} from './doctor.sql.ts'
import { type Durability, durabilityRisks } from './durability.ts'
import { tryMailPorts } from './mail-ports.ts'
import { readSetting, type Setting } from './session.ts'
import { askPublicUrl } from './public-answers.ts'
import {
  checkBackup,
  checkConnections,
  checkDisk,
  checkKeyFile,
  checkMailPorts,
  checkMailProviders,
  checkPooler,
  checkProxy,
  checkPublicAnswers,
  checkReleases,
  checkScheme,
  checkReplica,
} from './surroundings.ts'

/** Runs all checks without changing anything. Checks that depend on something broken are left out. */
export async function examine({ mailHost }: { mailHost: string | null }): Promise<Check[]> {
  let setting: Setting
  try {
    setting = readSetting()
  } catch (error) {
    return [
      broken(
        'configuration',
        (error as Error).message,
        'correct each setting as its line says; overture config shows where it comes from',
      ),
    ]
  }
  const { config, log } = setting
  const checks = [
    ok('configuration', 'every setting is valid'),
    checkPublicUrl(config),
    ...(await checkAround(config)),
    checkMailPorts(mailHost, mailHost === null ? [] : await tryMailPorts(mailHost)),
  ]
  if (config.databaseUrl !== null) return [...checks, ...(await checkDatabase(setting, config.databaseUrl))]
  if (!existsSync(join(config.dataDir, 'postgres'))) {
    return [...checks, ok('database', `none in ${config.dataDir} yet; the first start creates it`)]
  }
  try {
    await access(config.dataDir, constants.W_OK)
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, kind: 'command' })
    try {
      return [...checks, ...(await checkDatabase(setting, postgres.url))]
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    return [...checks, broken('database', (error as Error).message, databaseFix)]
  }
}

const databaseFix =
  'start PostgreSQL, and check that DATABASE_URL (or OVERTURE_DATA_DIR) points to it and that its user may log in'

/** Runs the checks that need no database. */
async function checkAround(config: Config): Promise<Check[]> {
  const { dataDir, publicUrl, publicUrlIsDefault, encryptionKeys } = config
  const checks: Check[] = []
  if (existsSync(dataDir)) {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    checks.push(checkDisk({ free: bavail * bsize, total: blocks * bsize }, dataDir))
  }
  const keyFile = join(dataDir, 'encryption.key')
  if (encryptionKeys.length === 0 && existsSync(keyFile)) checks.push(checkKeyFile((await stat(keyFile)).mode, keyFile))
  if (publicUrlIsDefault) return checks
  const answers = await askPublicUrl(publicUrl)
  checks.push(...checkPublicAnswers(answers, version), ...checkScheme(answers), ...checkProxy(answers))
  return checks
}

async function checkDatabase({ config, log }: Setting, url: string): Promise<Check[]> {
  const db = createDatabase({ url, log })
  try {
    const facts = await findDatabaseFacts(db)
    const checks = [
      ok('database', `PostgreSQL ${facts.version}, ${facts.sizeText}`),
      checkClock(facts.now, new Date()),
      ...checkDurability(await findDurability(db)),
      checkMigrations(await migrationState({ url, log })),
    ]
    if (checks.some((check) => check.name === 'migrations' && check.status !== 'ok')) return checks
    return [
      ...checks,
      checkHold(await findSendingHold(db)),
      ...(await checkReplicaSettings(config, { db, log })),
      checkPooler(await isTransactionPooler(() => openSession(url))),
      checkConnections({ ...(await findConnectionFacts(db)), poolSize: config.databasePoolSize }),
      checkReleases(await listConnectedReleases(db), version),
      checkBackup(await findLastBackup(db), facts.now),
      checkMailProviders(await listRefusingProvidersAcrossAccounts(db), {
        secretExpiresOn: config.oauth.microsoft.secretExpiresOn,
        now: facts.now,
      }),
      await checkKey(config, db),
      await checkLedgers(db),
      ...(await checkTrouble(db)),
    ]
  } catch (error) {
    return [broken('database', failureReason(error), databaseFix)]
  } finally {
    await db.close()
  }
}

async function checkReplicaSettings(
  { replica: set }: Config,
  { db, log }: { db: Database; log: Logger },
): Promise<Check[]> {
  if (set === null) return []
  const replica = new Replica({ ...set, primary: db, log, connectionsMax: 2 })
  try {
    return [checkReplica(await replica.look())]
  } finally {
    await replica.close()
  }
}

// A failed connection to a name with several addresses has no message of its own.
function failureReason(error: unknown): string {
  return (error as Error).message || (errorCode(error) ?? 'no connection')
}

function checkPublicUrl(config: Config): Check {
  if (isPublicUrl(config.publicUrl)) return ok('public URL', config.publicUrl)
  return warning(
    'public URL',
    `${config.publicUrl} is not an https URL with a public name, so recipients can't open links and no live campaign starts`,
    'set OVERTURE_PUBLIC_URL to the URL under which recipients reach this server',
  )
}

function checkClock(databaseNow: Date, now: Date): Check {
  const skewMs = Math.abs(databaseNow.getTime() - now.getTime())
  if (skewMs <= clockSkewMsMax) return ok('clock', 'agrees with the database')
  return broken(
    'clock',
    `${Math.round(skewMs / 1000)} s apart from the clock of the database`,
    'synchronize both with NTP',
  )
}

function checkDurability(durability: Durability): Check[] {
  const risks = durabilityRisks(durability)
  if (risks.length > 0)
    return risks.map((risk) =>
      warning('durability', risk, 'change it in postgresql.conf and reload; see docs/failover.md'),
    )
  return [ok('durability', 'the database keeps every committed transaction')]
}

function checkHold(hold: SendingHold | null): Check {
  if (hold === null) return ok('sending', 'live mail is being sent')
  const why = hold.was === null ? 'requested by the operator' : 'the database has changed'
  return broken(
    'sending',
    `held since ${hold.since}: ${why}`,
    'compare with the Sent folders what was sent, then run overture resume-after-restore',
  )
}

function checkMigrations(state: { applied: string[]; pending: string[]; changed: string[]; later: string[] }): Check {
  if (state.later.length > 0 && state.changed.length > 0)
    return broken(
      'migrations',
      `the database is from before the first release: ${state.changed[0]} differs, and ${state.later[0]} is unknown`,
      "start with an empty database or data folder; this one can't be upgraded",
    )
  if (state.later.length > 0)
    return broken(
      'migrations',
      `the database belongs to a newer release: ${state.later.join(', ')}`,
      'start that release, or restore a backup from before the upgrade',
    )
  if (state.changed.length > 0)
    return broken(
      'migrations',
      `changed after they were applied: ${state.changed.join(', ')}`,
      'reinstall the published release',
    )
  if (state.pending.length > 0)
    return warning('migrations', `not applied yet: ${state.pending.join(', ')}`, 'overture migrate, or the next start')
  return ok('migrations', `${state.applied.length} applied`)
}

const keyFix = "set the key that the database was first used with; without it stored passwords can't be read"

async function checkKey(config: Config, db: Database): Promise<Check> {
  if (config.encryptionKeys.length === 0 && !existsSync(join(config.dataDir, 'encryption.key'))) {
    return broken(
      'encryption key',
      `neither OVERTURE_ENCRYPTION_KEY nor ${config.dataDir}/encryption.key exists`,
      keyFix,
    )
  }
  try {
    await openSecrets(config, db)
    return ok('encryption key', 'matches the database')
  } catch (error) {
    return broken('encryption key', (error as Error).message, keyFix)
  }
}

async function checkLedgers(db: Executor): Promise<Check> {
  const disagreements = await findDisagreementsAcrossAccounts(db)
  if (disagreements.length === 0) return ok('credits', 'every balance is the sum of its ledger')
  return broken(
    'credits',
    `${disagreements.length} balances differ from their ledgers: ${JSON.stringify(disagreements[0])}`,
    'report this line; overture credits set corrects a balance with a ledger entry',
  )
}

async function checkTrouble(db: Executor): Promise<Check[]> {
  const trouble = await countTroubleAcrossAccounts(db)
  return [
    counted('jobs', trouble.deadJobs, {
      what: 'failed permanently',
      fix: 'job.dead in the log has the reason; request the failed work again',
    }),
    counted('deliveries', trouble.stuckMessages, {
      what: 'in flight for more than two minutes',
      fix: 'start a worker, which settles them within seconds',
    }),
    counted('uncertain messages', trouble.uncertainMessages, {
      what: 'wait until a user resolves them',
      fix: 'check the Sent folders, and resolve each one in the console',
    }),
    counted('sending accounts', trouble.failingSenders, {
      what: "can't connect or log in",
      fix: 'check outgoing ports 465, 587 and 993, or ask the owners to reconnect the accounts',
    }),
  ]
}

function counted(name: string, count: number, { what, fix }: { what: string; fix: string }): Check {
  return count === 0 ? ok(name, `none ${what}`) : warning(name, `${count} ${what}`, fix)
}
