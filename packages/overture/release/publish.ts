import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Builds the packages and publishes those that the registry does not have yet, so that a failed run can be repeated. Each package gets a
 * tag. The workflow creates releases from the lines "New tag:".
 */
const root = join(import.meta.dirname, '../../..')
const published = [
  { name: 'overture', folder: 'packages/overture' },
  { name: '@overture/sdk', folder: 'packages/sdk' },
] as const

for (const { name, folder } of published) {
  const { version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string }
  const release = `${name}@${version}`
  if (isThere(release)) continue
  const place = mkdtempSync(join(tmpdir(), 'overture-release-'))
  const built = join(place, 'built')
  try {
    inherit(process.execPath, ['--import', 'tsx', join(folder, 'build.ts'), built])
    inherit('npm', ['publish', built, '--access', 'public'])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  inherit('git', ['tag', '--force', release])
  process.stdout.write(`New tag: ${release}\n`)
}

function isThere(release: string): boolean {
  const { status, stdout, stderr } = spawnSync('npm', ['view', release, 'version'], { cwd: root, encoding: 'utf8' })
  if (status === 0) return stdout.trim() !== ''
  if (/E404/.test(stderr)) return false
  throw new Error(stderr)
}

function inherit(command: string, words: readonly string[]): void {
  execFileSync(command, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}
