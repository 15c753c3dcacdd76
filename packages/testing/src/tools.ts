import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../tools/node_modules')

/** The path of what `.ci/tools` installs, or null where it is not installed. */
export function toolPath(path: string): string | null {
  const found = join(folder, path)
  return existsSync(found) ? found : null
}

/** Why a test is left out. */
export function missingTool(name: string): string {
  return `${name} is not installed: .ci/tools installs it.`
}
