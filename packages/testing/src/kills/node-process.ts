import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { builtProgram } from '../programs/program.ts'
import { prepared } from '../time-spent.ts'

const main = new URL('../../../server/src/composition/main.ts', import.meta.url)
const withParent = new URL('./ends-with-parent.ts', import.meta.url)

/** One process of the product. After each kill it is started again at the same address. */
export interface NodeProcess {
  readonly url: string
  readonly pid: number
  /** The lines that the first start printed before it was ready, including keys. */
  readonly printed: readonly string[]
  /** Sends SIGKILL and starts the process again. Resolves when the new process listens or works. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

/** With `PORT` 0 the first start chooses the port and later starts keep it, so that callers find the process again. */
export async function startNodeProcess(environment: Record<string, string>): Promise<NodeProcess> {
  let url = ''
  const printed: string[] = []
  let child: ChildProcess
  const start = (): Promise<void> => prepared('process', startOnce)
  const startOnce = async (): Promise<void> => {
    const [program, preload] = await Promise.all([builtProgram(main), builtProgram(withParent)])
    child = spawn(process.execPath, ['--import', pathToFileURL(preload).href, program], {
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'fatal',
        ...environment,
        ...(url === '' ? {} : { PORT: new URL(url).port }),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const lines = createInterface({ input: child.stdout as Readable })
    for await (const line of lines) {
      printed.push(line)
      if (line.startsWith('listening on ')) url = line.slice('listening on '.length)
      if (line !== 'working' && !line.startsWith('listening on ')) continue
      child.stdout?.resume()
      return
    }
    throw new Error(`The server ended before it was ready: ${printed.join(' ')}`)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  await start()
  return {
    printed,
    get pid() {
      return child.pid ?? 0
    },
    get url() {
      return url
    },
    async killAndRestart() {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
  }
}
