import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { monotonicMs, sleep } from '../../clock.ts'

const patienceMs = { fast: 15_000, immediate: 5_000, kill: 5_000 }
const pollMs = 20

/**
 * Stops a PostgreSQL that a killed process left running on this folder. Removes postmaster.pid and the lock files of sockets if
 * they name no such process. The named process may be gone, a zombie, or another process with that id, since ids are reused after
 * a restart of the machine or of a container. PostgreSQL itself would read the last two as a running server.
 */
export async function stopOrphan(databaseFolder: string, socketLocks: readonly string[] = []): Promise<void> {
  for (const lockFile of [join(databaseFolder, 'postmaster.pid'), ...socketLocks]) {
    const pid = readPid(lockFile)
    if (pid === null) continue
    if (runsPostmaster(pid, databaseFolder)) await stopProcess(pid)
    if (!mayBePostmaster(pid) || isElsewhere(pid, databaseFolder)) await rm(lockFile, { force: true })
  }
}

/** Requests a fast shutdown, then an immediate one. Resolves when the process is gone. */
export async function stopProcess(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  if (await isGoneWithin(pid, patienceMs.fast)) return
  signal(pid, 'SIGQUIT')
  if (await isGoneWithin(pid, patienceMs.immediate)) return
  signal(pid, 'SIGKILL')
  await isGoneWithin(pid, patienceMs.kill)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function isGoneWithin(pid: number, waitMs: number): Promise<boolean> {
  const giveUpAtMs = monotonicMs() + waitMs
  while (isRunning(pid)) {
    if (monotonicMs() > giveUpAtMs) return false
    await sleep(pollMs)
  }
  return true
}

function readPid(pidFile: string): number | null {
  if (!existsSync(pidFile)) return null
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  return pid > 1 ? pid : null
}

function runsPostmaster(pid: number, databaseFolder: string): boolean {
  if (!mayBePostmaster(pid)) return false
  if (!existsSync('/proc/self/cwd')) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(databaseFolder)
  } catch {
    return false
  }
}

/** Whether it certainly works in another folder, as the PostgreSQL of another installation does. */
function isElsewhere(pid: number, databaseFolder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== realpathSync(databaseFolder)
  } catch {
    return false
  }
}

/** Whether it is a living process with that name. Any other process that works in the folder, such as a shell, is not touched. */
function mayBePostmaster(pid: number): boolean {
  if (!isRunning(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
  } catch {
    // If the system does not report the name, PostgreSQL decides itself.
    return !existsSync('/proc/self/comm')
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return !isZombie(pid)
}

// An orphan that ended stays a zombie until the process that adopted it calls wait; in a container there may be none that does.
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false
  }
}
