import type { Command } from 'commander'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { keepBeforeUpgrade } from '@overture/server/composition/backup.shell.ts'
import { refuseDatabaseUrl } from '@overture/server/composition/open-app.shell.ts'
import type { Check } from './checks.ts'
import { examine } from './doctor.ts'
import { show, type OutputOptions } from '../output.ts'
import { readSetting } from './session.ts'

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Migrates the database to this release. The server also does this at every start')
    .option('--json', 'print the applied migrations as JSON')
    .action(runMigrations)
}

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Checks the installation. The exit code is 1 if something is broken')
    .option('--mail-host <host>', 'also try ports 465, 587 and 993 of this mail server')
    .option('--json', 'print the checks')
    .action(runDoctor)
}

async function runMigrations(options: OutputOptions): Promise<void> {
  const { config, log } = readSetting()
  const postgres =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, kind: 'command' }) : null
  try {
    if (postgres !== null) await keepBeforeUpgrade({ config, log, url: postgres.url })
    const applied = await migrate({
      url: config.databaseUrl ?? postgres?.url ?? '',
      log,
      distributed: config.distributed,
    }).catch((error: unknown) => {
      if (config.databaseUrl === null) throw error
      return refuseDatabaseUrl(error)
    })
    show({ applied }, applied.join('\n') || 'Nothing to do.', options)
  } finally {
    await postgres?.stop()
  }
}

async function runDoctor(options: OutputOptions & { mailHost?: string }): Promise<void> {
  const checks = await examine({ mailHost: options.mailHost ?? null })
  const ok = checks.every((check) => check.status !== 'broken')
  show({ ok, checks }, checks.map(checkLine).join('\n'), options)
  if (!ok) process.exitCode = 1
}

function checkLine({ status, name, message, fix }: Check): string {
  return `${status.padEnd(8)} ${name}: ${message}${fix === null ? '' : `\n         → ${fix}`}`
}
