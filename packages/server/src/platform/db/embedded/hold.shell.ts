import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The process that runs the PostgreSQL of a data folder. Stored in `holder.json` of that folder. */
export interface Holder {
  pid: number
  /** Distinguishes a process from a later one with the same id; null if the system does not report it. */
  startedAt: string | null
  kind: 'server' | 'command'
  /** Null until the database accepts connections. */
  url: string | null
}

export interface Hold {
  announce(url: string): Promise<void>
  release(): Promise<void>
}

/** Takes the folder, or returns its current holder. The file of a dead holder is removed. */
export async function takeHold(dataDir: string, kind: Holder['kind']): Promise<Hold | Holder> {
  const path = join(dataDir, 'holder.json')
  const mine: Holder = { pid: process.pid, startedAt: processStart(process.pid), kind, url: null }
  for (;;) {
    const temporary = await writeBeside(path, mine)
    try {
      // A link is created atomically.
      await link(temporary, path)
      return {
        announce: async (url) => rename(await writeBeside(path, { ...mine, url }), path),
        release: () => rm(path, { force: true }),
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await rm(temporary, { force: true })
    }
    const other = await readHolder(dataDir)
    if (other !== null) return other
    await removeDead(path)
  }
}

/** The living holder of a data folder. */
export async function readHolder(dataDir: string): Promise<Holder | null> {
  const holder = await read(join(dataDir, 'holder.json'))
  return holder !== null && isAlive(holder) ? holder : null
}

async function removeDead(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  // Between reading and moving, a living process may have written its own file: it is put back.
  const moved = await read(aside)
  if (moved !== null && isAlive(moved)) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

async function read(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

async function writeBeside(path: string, holder: Holder): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  return temporary
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return processStart(pid) === startedAt
}

/** Clock ticks from boot to the start of the process (field 22 of Linux's stat), with the id of that boot. */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`
  } catch {
    return null
  }
}
