import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../tools/node_modules')

/** The path of what `.ci/tools` installs, or null where it is not installed. */
export function toolPath(path: string): string | null {
  const found = join(folder, path)
  return existsSync(found) ? found : null
}

/** What tests need beyond Node.js, each with the way to install it; `.ci/run` installs all of them. */
const installs = {
  Chromium: 'apt-get install chromium',
  Dovecot: 'apt-get install dovecot-imapd',
  Sieve: 'apt-get install dovecot-sieve',
  'Postfix, Exim and OpenSMTPD': '.ci/mail-servers',
  'PostgreSQL 15': 'apt-get install postgresql-15',
  promtool: 'apt-get install prometheus',
  n8n: 'integrations/n8n/install-n8n',
  'a root user': 'run as root',
  'mail corpora': 'name their folder in OVERTURE_MAIL_CORPORA',
}

/** Begins the lines that the report at the end of a run collects. */
export const lackingPrefix = 'Tests are skipped: this machine lacks '

/** True if it is not available; the report at the end of the run then says how to install it. */
export function lacks(what: keyof typeof installs, available: boolean): boolean {
  // oxlint-disable-next-line no-console -- Vitest hands a worker's console, and nothing else of it, to the report.
  if (!available) console.warn(`${lackingPrefix}${what} (${installs[what]}).`)
  return !available
}

/** Why a test is left out. */
export function missingTool(name: string): string {
  return `${name} is not installed: .ci/tools installs it.`
}
