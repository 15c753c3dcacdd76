import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const lookEveryMs = 100
const waitMsMax = 900_000
const namelessMsMax = 10_000

/**
 * Runs one call at a time, across processes: the lock is a folder, which only one process can make. A lock of a process that has ended
 * is removed. If two processes find it at the same moment, both may run, as without any lock.
 */
export async function oneAtATime<Result>(lock: string, run: () => Promise<Result>): Promise<Result> {
  for (let waitedMs = 0; !(await take(lock)); waitedMs += lookEveryMs) {
    if (waitedMs > waitMsMax)
      throw new Error(`${lock} is held for a quarter of an hour: remove it if no build is running.`)
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  try {
    return await run()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isOfTheDead(lock)) await forget(lock)
    return false
  }
  await writeFile(join(lock, 'pid'), String(process.pid))
  return true
}

async function isOfTheDead(lock: string): Promise<boolean> {
  const pid = Number(await readFile(join(lock, 'pid'), 'utf8').catch(() => ''))
  // Made at this moment, given back, or left between its making and its name.
  if (pid === 0) return Date.now() - ((await stat(lock).catch(() => null))?.mtimeMs ?? Date.now()) > namelessMsMax
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function forget(lock: string): Promise<void> {
  const mine = `${lock}.${process.pid}`
  await rename(lock, mine).catch(() => undefined)
  await rm(mine, { recursive: true, force: true })
}
