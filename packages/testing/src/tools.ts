import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../tools/node_modules')

/** The path of a tool that `.ci/tools` installs, or null if it isn't installed. */
export function toolPath(path: string): string | null {
  const found = join(folder, path)
  return existsSync(found) ? found : null
}

/** Programs that tests need beyond Node.js, each with the command that installs it; `.ci/run` installs all of them. */
const installs = {
  Chromium: 'apt-get install chromium-headless-shell',
  Dovecot: 'apt-get install dovecot-imapd',
  Sieve: 'apt-get install dovecot-sieve',
  'Postfix, Exim and OpenSMTPD': '.ci/mail-servers',
  psql: 'apt-get install postgresql-client',
  'PostgreSQL 15': 'apt-get install postgresql-15',
  promtool: 'apt-get install prometheus',
  n8n: 'integrations/n8n/install-n8n',
  'a root user': 'run as root',
  'mail corpora': 'name their folder in OVERTURE_MAIL_CORPORA',
}

/** Begins the lines that the report at the end of a run collects. */
export const lackingPrefix = 'Tests are skipped: this machine lacks '

/** Returns true if the program isn't available. The report at the end of the run then says how to install it. */
export function lacks(what: keyof typeof installs, available: boolean): boolean {
  // oxlint-disable-next-line no-console -- Vitest hands a worker's console, and nothing else of it, to the report.
  if (!available) console.warn(`${lackingPrefix}${what} (${installs[what]}).`)
  return !available
}

/** The reason why a test is skipped. */
export function missingTool(name: string): string {
  return `${name} is not installed: .ci/tools installs it.`
}
