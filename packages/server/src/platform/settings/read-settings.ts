import { settings, type SettingName, type SettingValue } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Reader {
  /** The problems so far, each with the name of its setting. Reading continues after a problem. */
  problems: string[]
  /** The value that is set, or the default; null if it is invalid. */
  value<Name extends SettingName>(name: Name): SettingValue<Name>
  /** Whether the setting has a value. */
  has(name: SettingName): boolean
}

export function createReader(environment: Environment, problems: string[] = []): Reader {
  return {
    problems,
    has: (name) => readText(environment, name) !== null,
    value(name) {
      const { schema, default: standard } = settings[name]
      const text = readText(environment, name) ?? standard
      if (text === null) return null as never
      const read = schema.safeParse(text)
      if (read.success) return read.data as never
      problems.push(`${name}: ${read.error.issues[0]?.message ?? 'not valid.'}`)
      return (standard === null ? null : schema.parse(standard)) as never
    },
  }
}

/** A value of only blanks counts as not set. */
function readText(environment: Environment, name: string): string | null {
  const value = environment[name]?.trim()
  return value === undefined || value === '' ? null : value
}
