import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Environment } from './read-settings.ts'
import { findSettings, secretFileVariable, type FoundSettings } from './setting-sources.ts'
import { settingNames, type SettingName } from './settings.ts'

const fileName = 'overture.toml'

interface Place {
  environment: Environment
  /** The working directory of the process, from which relative paths are resolved. */
  folder: string
  words?: readonly string[]
}

/** The settings of a process, from flags, variables, the files that variables name, and `overture.toml` in its folder. */
export function readProcessSettings({ environment, folder, words = [] }: Place): FoundSettings {
  const secretFiles = new Map<SettingName, { path: string; text: string | null }>()
  for (const name of settingNames) {
    const path = environment[secretFileVariable(name)]?.trim()
    if (path !== undefined && path !== '') secretFiles.set(name, { path, text: readText(resolve(folder, path)) })
  }
  const configured = environment['OVERTURE_CONFIG']?.trim() ?? ''
  const path = configured === '' ? join(folder, fileName) : resolve(folder, configured)
  const text = configured !== '' || existsSync(path) ? readText(path) : null
  const found = findSettings({ words, environment, secretFiles, file: text === null ? null : { path, text } })
  if (configured !== '' && text === null) found.problems.push(`OVERTURE_CONFIG: ${path} can't be read.`)
  return found
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
