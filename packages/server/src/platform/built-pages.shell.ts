import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { installedFile } from './assets.shell.ts'
import type { LogEventName } from './log-events.ts'
import type { Logger } from './log.shell.ts'

/** Leaves the machine to what serves and sends. */
const buildPriority = 15
const saidMax = 2_000

export type BuiltPages<Pages> = { state: 'ready'; pages: Pages } | { state: 'building' | 'failed' }

interface BuiltPagesOptions<Pages> {
  /** What was built of today's files; null where nothing was. */
  find(): Promise<Pages | null>
  build(): Promise<void>
  failed(error: Error): void
}

/**
 * Pages that a script builds, in memory. They are looked for when somebody first asks, so that a server that nobody opens a
 * browser for does nothing about them; what is missing or out of date is then built by a child.
 */
export function createBuiltPages<Pages>(options: BuiltPagesOptions<Pages>): { current(): Promise<BuiltPages<Pages>> } {
  let known: BuiltPages<Pages> | null = null
  let looking: Promise<BuiltPages<Pages>> | null = null
  const ready = (pages: Pages | null): BuiltPages<Pages> => {
    if (pages === null) throw new Error('What was built is not there.')
    return { state: 'ready', pages }
  }
  const look = async (): Promise<BuiltPages<Pages>> => {
    const found = await options.find()
    if (found !== null) return ready(found)
    options
      .build()
      .then(async () => (known = ready(await options.find())))
      .catch((error: Error) => {
        options.failed(error)
        known = { state: 'failed' }
      })
    return { state: 'building' }
  }
  return {
    async current() {
      if (known !== null) return known
      looking ??= look().then((found) => (known ??= found))
      return looking
    },
  }
}

/** Runs a script of the repository beside this process, at a low priority, and ends it with this process. */
export function runBuild(script: string, { log, event }: { log: Logger; event: LogEventName }): Promise<void> {
  const loader = installedFile('tsx')
  log.info({ event })
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader, script], { stdio: ['ignore', 'ignore', 'pipe'] })
    const stop = (): void => void child.kill()
    process.once('exit', stop)
    if (child.pid !== undefined) lowerPriority(child.pid)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-saidMax)))
    child.once('error', reject)
    child.once('close', (code) => {
      process.removeListener('exit', stop)
      if (code === 0) resolve()
      else reject(new Error(said.trim() || `The build ended with ${code}.`))
    })
  })
}

// A child that has ended already, or a system that knows no priorities, is no reason to fail.
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, buildPriority)
  } catch {
    return
  }
}
