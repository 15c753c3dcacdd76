import { settingFileKey } from './setting-sources.ts'
import type { Setting } from './setting.ts'
import { settingGroups, type SettingName } from './settings.ts'

/** The table of settings as texts for people and editors. A test compares each text with its file. */

const entries = Object.entries(settingGroups) as [string, Record<SettingName, Setting>][]

/** The section of the documentation page. */
export function settingsPage(): string {
  return entries.map(([group, of]) => `## ${group}\n\n${settingsTable(of)}`).join('\n')
}

function settingsTable(of: Record<string, Setting>): string {
  const rows = Object.entries(of).map(
    ([name, setting]) => `| \`${name}\` | ${describeDefault(setting)} | ${setting.help} |`,
  )
  return `| variable | default | |\n|---|---|---|\n${rows.join('\n')}\n`
}

function describeDefault({ default: standard, otherwise }: Setting): string {
  if (otherwise !== null) return otherwise
  return standard === null || standard === '' ? '' : `\`${standard}\``
}

/** The content of `.env.example`: all settings, none of them set. */
export function exampleEnvironment(): string {
  const head = '# All settings with their defaults. See docs/configuration.md. Written by npm run settings.\n'
  const groups = entries.map(([group, of]) => {
    const lines = Object.entries(of).map(([name, setting]) => `# ${setting.help}\n# ${name}=${setting.default ?? ''}`)
    return `\n# ── ${group}\n\n${lines.join('\n\n')}\n`
  })
  return head + groups.join('')
}

/** The JSON Schema of `overture.toml`, for editors. */
export function settingsSchema(): object {
  const properties = entries.flatMap(([, of]) =>
    Object.entries(of).map(([name, setting]) => [settingFileKey(name as SettingName), toProperty(setting)] as const),
  )
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'overture.toml',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  }
}

function toProperty({ type, help, choices, bounds }: Setting): object {
  return {
    description: help,
    ...(type === 'array' ? { type: ['array', 'string'], items: { type: 'string' } } : { type }),
    ...(choices !== null && { enum: choices }),
    ...(bounds !== null && { minimum: bounds.min, maximum: bounds.max }),
  }
}
