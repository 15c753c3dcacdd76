import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)

export interface StrangersProject {
  /** The folder of a project with the SDK as its only dependency. */
  folder: string
  tarball: string
  /** The folder of the installed package. */
  installed: string
  remove(): Promise<void>
}

/** Builds and packs the SDK as it is published, and installs the tarball like a new user. */
export async function installTarball(): Promise<StrangersProject> {
  const place = await mkdtemp(join(tmpdir(), 'overture-sdk-'))
  const [built, folder] = [join(place, 'built'), join(place, 'project')]
  await run(process.execPath, ['--import', 'tsx', 'packages/sdk/build.ts', built], { cwd: root })
  const packed = await run('npm', ['pack', '--json', '--pack-destination', place, built], { cwd: place })
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  const tarball = join(place, filename)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'strangers-project', private: true }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder })
  return {
    folder,
    tarball,
    installed: join(folder, 'node_modules/@overture/sdk'),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}
