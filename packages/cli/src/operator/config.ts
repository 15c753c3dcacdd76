import type { Command } from 'commander'
import { ConfigError, parseConfig } from '@overture/server/platform/config.ts'
import { readProcessSettings } from '@overture/server/platform/settings/find-settings.shell.ts'
import { settingNames, settings, type SettingName } from '@overture/server/platform/settings/settings.ts'
import { show, type OutputOptions } from '../output.ts'

interface SettingInForce {
  name: SettingName
  /** Null if no value is set and there is no default. */
  value: string | null
  from: string
}

export function registerConfig(program: Command): void {
  program
    .command('config')
    .description(
      'Show all settings and their sources. Passwords are masked. The exit code is 1 if a setting is invalid',
    )
    .option('--json', 'print it as JSON')
    .action(showConfig)
}

function showConfig(options: OutputOptions): void {
  const place = { environment: process.env, folder: process.cwd() }
  const found = readProcessSettings(place)
  const inForce = settingNames.map((name) => toSetting(name, found.values[name], found.origins.get(name)))
  const problems = collectProblems(() => parseConfig(found.values, place.folder, found.problems))
  const shown = inForce.filter(({ value }) => value !== null && value !== '')
  const width = Math.max(...shown.map(({ name }) => name.length))
  const lines = shown.map(({ name, value, from }) => `${name.padEnd(width)}  ${value}  (${from})`)
  show({ ok: problems.length === 0, problems, settings: inForce }, [...lines, ...problems].join('\n'), options)
  if (problems.length > 0) process.exitCode = 1
}

function toSetting(name: SettingName, given: string | undefined, origin: string | undefined): SettingInForce {
  const { secret, default: standard } = settings[name]
  const value = given?.trim() ?? standard
  return { name, value: value !== null && secret && value !== '' ? masked(value) : value, from: origin ?? 'default' }
}

/** Masks a value. For a URL the protocol, host and path stay readable. */
function masked(value: string): string {
  if (!URL.canParse(value) || !value.includes('://')) return '***'
  const { protocol, host, pathname } = new URL(value)
  return `${protocol}//***@${host}${pathname}`
}

function collectProblems(run: () => unknown): string[] {
  try {
    run()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}
