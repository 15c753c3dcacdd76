import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { installedFile } from './assets.shell.ts'
import type { LogEventName } from './log-events.ts'
import type { Logger } from './log.shell.ts'

/** A low priority, so that serving and sending come first. */
const buildPriority = 15
const saidMax = 2_000

export type BuiltPages<Pages> = { state: 'ready'; pages: Pages } | { state: 'building' | 'failed' }

interface BuiltPagesOptions<Pages> {
  /** The pages built from the current files; null if there are none. */
  find(): Promise<Pages | null>
  build(): Promise<void>
  failed(error: Error): void
}

/**
 * Pages in memory that a script builds. They are first looked up on the first request, so a server without browsers spends
 * nothing on them. A child process then builds missing or outdated pages.
 */
export function createBuiltPages<Pages>(options: BuiltPagesOptions<Pages>): { current(): Promise<BuiltPages<Pages>> } {
  let known: BuiltPages<Pages> | null = null
  let looking: Promise<BuiltPages<Pages>> | null = null
  const ready = (pages: Pages | null): BuiltPages<Pages> => {
    if (pages === null) throw new Error('What was built is not there.')
    return { state: 'ready', pages }
  }
  const readPages = async (): Promise<BuiltPages<Pages>> => {
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
      looking ??= readPages().then((found) => (known ??= found))
      return looking
    },
  }
}

/** Runs a script of the repository as a child process with low priority, and ends it with this process. */
export function runBuild(script: string, { log, event }: { log: Logger; event: LogEventName }): Promise<void> {
  const loader = installedFile('tsx')
  log.info({ event })
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader, script], { stdio: ['ignore', 'ignore', 'pipe'] })
    const stop = (): void => void child.kill()
    process.once('exit', stop)
    if (child.pid !== undefined) lowerPriority(child.pid)
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-saidMax)))
    child.once('error', reject)
    child.once('close', (code) => {
      process.removeListener('exit', stop)
      if (code === 0) resolve()
      else reject(new Error(output.trim() || `The build ended with ${code}.`))
    })
  })
}

// An error is ignored if the child has ended already or the system has no priorities.
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, buildPriority)
  } catch {
    return
  }
}
