import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The encryption key of a data folder, made at the first call. Safe with several processes at once. */
export async function readOrCreateKeyFile(dataDir: string): Promise<string> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const known = await readKey(path)
  if (known !== null) return known
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  // A link fails where the file is there already, so that of two processes both use the first one's key.
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  const key = await readKey(path)
  if (key === null) throw new Error(`${path} is empty.`)
  return key
}

/** The key of a data folder; null: there is none yet. */
export function readKeyFile(dataDir: string): Promise<string | null> {
  return readKey(join(dataDir, 'encryption.key'))
}

/** Another one that is there already stays, and is an error. */
export async function writeKeyFile(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'encryption.key'), `${key}\n`, { mode: 0o600, flag: 'wx', flush: true })
}

async function readKey(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
