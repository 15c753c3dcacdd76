import { parseConfig, type Config } from '@overture/server/platform/config.ts'
import { readProcessSettings } from '@overture/server/platform/settings/find-settings.shell.ts'
import { createLogger, type Logger } from '@overture/server/platform/log.shell.ts'
import { openApp, type OpenApp } from '@overture/server/composition/open-app.shell.ts'

export interface Setting {
  config: Config
  log: Logger
}

/** Reads the environment as the server does. A command is quiet unless LOG_LEVEL says otherwise. */
export function readSetting(): Setting {
  const folder = process.cwd()
  const { values, problems } = readProcessSettings({ environment: process.env, folder })
  const config = parseConfig({ LOG_LEVEL: 'warn', ...values }, folder, problems)
  return { config, log: createLogger(config.logLevel) }
}

/** Runs a command on the database, next to a running server or with an embedded database that it starts itself. */
export async function withApp(run: (open: OpenApp) => Promise<void>): Promise<void> {
  const open = await openApp({ ...readSetting(), kind: 'command' })
  try {
    await run(open)
  } finally {
    await open.close()
  }
}
