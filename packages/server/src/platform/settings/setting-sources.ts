import { parse, TomlError } from 'smol-toml'
import type { Environment } from './read-settings.ts'
import { settingNames, settings, type SettingName } from './settings.ts'

/** The sources of settings, in order of precedence. */
export interface SettingSources {
  /** The arguments after the command, such as `--port 8080`. */
  words: readonly string[]
  environment: Environment
  /** The content of the file in `NAME_FILE`; null if it can't be read. */
  secretFiles: ReadonlyMap<SettingName, { path: string; text: string | null }>
  /** Null if there is no file. */
  file: { path: string; text: string } | null
}

export interface FoundSettings {
  values: Environment
  /** The flag, variable or file that sets each value. */
  origins: ReadonlyMap<SettingName, string>
  problems: string[]
}

/** Names that this server does not read: they belong to its client, its tests, or a cluster with a service named `overture`. */
const othersNames = [
  /^OVERTURE_(?:API_KEY|URL|CONFIG|WEBHOOK_SECRET|MAIL_CORPORA|MAIL_SERVERS|CLOCK_SEEDS)$/,
  /^OVERTURE_(?:TEST|FAULT|BENCH|HOUSE)(?:_|$)/,
  /^OVERTURE_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT|PORT_\d+_(?:TCP|UDP)(?:_\w+)?)$/,
]

/** The key of a setting in the file: the name of the variable in lower case, without the product's prefix. */
export function settingFileKey(name: SettingName): string {
  return name.toLowerCase().replace(/^overture_/, '')
}

export function secretFileVariable(name: SettingName): string {
  return `${name}_FILE`
}

/** Takes each setting from the first of flag, variable, `NAME_FILE` and file that sets it. Reports all problems at once. */
export function findSettings(sources: SettingSources): FoundSettings {
  const problems: string[] = []
  const found = new Map<SettingName, { value: string; origin: string }>()
  const set = (name: SettingName, value: string, origin: string) => {
    if (!found.has(name) && value.trim() !== '') found.set(name, { value, origin })
  }
  for (const [name, value, flag] of readFlags(sources.words, problems)) set(name, value, flag)
  for (const name of settingNames) {
    const value = sources.environment[name] ?? ''
    const given = sources.secretFiles.get(name)
    if (given !== undefined && value.trim() !== '')
      problems.push(`${name}: set together with ${secretFileVariable(name)}. Use only one of them.`)
    set(name, value, name)
    if (given?.text === null) problems.push(`${secretFileVariable(name)}: ${given.path} can't be read.`)
    else if (given !== undefined) set(name, given.text, `${secretFileVariable(name)} ${given.path}`)
  }
  if (sources.file !== null) readFile(sources.file, { set, problems })
  problems.push(...unknownVariables(sources.environment))
  return {
    values: Object.fromEntries([...found].map(([name, { value }]) => [name, value])),
    origins: new Map([...found].map(([name, { origin }]) => [name, origin])),
    problems,
  }
}

function readFlags(words: readonly string[], problems: string[]): [SettingName, string, string][] {
  const byFlag = new Map(settingNames.map((name) => [settingFileKey(name).replaceAll('_', '-'), name]))
  const flags: [SettingName, string, string][] = []
  for (let at = 0; at < words.length; at++) {
    const [, key = '', inline] = /^--([^=]*)(?:=(.*))?$/s.exec(words[at]!) ?? []
    const name = byFlag.get(key)
    const value = inline ?? words[++at]
    if (name === undefined)
      problems.push(`${words[inline === undefined ? at - 1 : at]}: unknown${nearest(key, [...byFlag.keys()], '--')}.`)
    else if (settings[name].secret)
      problems.push(
        `--${key}: all users of this machine can read flags. Set ${name} or ${secretFileVariable(name)} instead.`,
      )
    else if (value === undefined) problems.push(`--${key}: the value is missing.`)
    else flags.push([name, value, `--${key}`])
  }
  return flags
}

interface FileReading {
  set: (name: SettingName, value: string, origin: string) => void
  problems: string[]
}

function readFile({ path, text }: { path: string; text: string }, { set, problems }: FileReading): void {
  const byKey = new Map(settingNames.map((name) => [settingFileKey(name), name]))
  for (const [key, value] of Object.entries(parsed(path, text, problems))) {
    const name = byKey.get(key)
    const written = toText(value)
    if (name === undefined) problems.push(`${path}: ${key} is unknown${nearest(key, [...byKey.keys()], '')}.`)
    else if (written === null) problems.push(`${path}: ${key}: use a text, a number, true, false, or a list of texts.`)
    else set(name, written, path)
  }
}

function parsed(path: string, text: string, problems: string[]): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    problems.push(`${path}: line ${error.line} is not TOML.`)
    return {}
  }
}

function toText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',')
  return null
}

function unknownVariables(environment: Environment): string[] {
  const known = new Set<string>(settingNames.flatMap((name) => [name, secretFileVariable(name)]))
  return Object.keys(environment)
    .filter(
      (name) => name.startsWith('OVERTURE_') && !known.has(name) && !othersNames.some((pattern) => pattern.test(name)),
    )
    .toSorted()
    .map((name) => `${name}: unknown${nearest(name, settingNames, '')}.`)
}

/** A hint with the most similar name; empty if no name is similar. */
function nearest(given: string, names: readonly string[], mark: string): string {
  const [best] = names.map((name) => ({ name, away: distance(given, name) })).toSorted((a, b) => a.away - b.away)
  if (best === undefined || best.away > Math.max(2, given.length / 3)) return ''
  return `; did you mean ${mark}${best.name}?`
}

/** The number of letters to change, add or remove. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
