import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The encryption key of a data folder, created at the first call. Safe with several processes at the same time. */
export async function readOrCreateKeyFile(dataDir: string): Promise<string> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const known = await readKey(path)
  if (known !== null) return known
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  // Creating a link fails if the file exists, so that two processes both use the key of the first one.
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  const key = await readKey(path)
  if (key === null) throw new Error(`${path} is empty.`)
  return key
}

/** The key of a data folder; null if there is none yet. */
export function readKeyFile(dataDir: string): Promise<string | null> {
  return readKey(join(dataDir, 'encryption.key'))
}

/** Writes the key of a data folder. Throws if the folder has a key already, which is kept. */
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
