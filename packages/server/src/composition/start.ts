import { openApp } from './open-app.shell.ts'
import { openTraces } from '../platform/traces/open-traces.shell.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config.ts'
import { createShutdown } from '../platform/lifecycle/shutdown.ts'
import type { Logger } from '../platform/log.shell.ts'

interface StartOptions {
  config: Config
  log: Logger
  /** One line for the operator, on standard output. */
  print: (line: string) => void
  /** Asks for a stop before the start is done; one that only waits for its database ends at once. */
  signal?: AbortSignal | undefined
}

interface RunningServer {
  url: string
  app: App
  /** Stops in phases; the database last. */
  stop(): Promise<void>
}

/** Starts everything that the role asks for, in order; what was started is stopped again when a later part fails. */
export async function startOverture(options: StartOptions): Promise<RunningServer> {
  const { config, log, print, signal } = options
  const shutdown = createShutdown(log)
  try {
    // Reading the features takes about as long as the database takes to start: both at once.
    const reading = import('./run.ts')
    const traces = await openTraces(config, log)
    shutdown.add('postgres', 'traces', () => traces.stop())
    const open = await openApp({ config, log, kind: 'server', signal })
    shutdown.add('database', 'pool', () => open.disconnect())
    shutdown.add('postgres', 'postgres', () => open.postgres?.stop())
    const run = await reading
    await run.finishRestore(open.app)
    const services = await run.createServices(open)
    shutdown.add('services', 'services', () => services.stop())
    const url = await run.serve({ open, services, shutdown })
    // Not before it listens: keys that are shown once are not for a start that is refused.
    if (config.role !== 'worker') {
      const keys = await run.prepareFirstStart(open.app)
      if (keys !== null) {
        print(`test key: ${keys.test}`)
        print(`live key: ${keys.live}`)
      }
      const setup = await run.prepareSetupLink(open.app)
      if (setup !== null) print(`console: ${setup}`)
    }
    if (config.role !== 'api') await run.startWorkers({ open, services, shutdown })
    print(url === null ? 'working' : `listening on ${url}`)
    if (config.role !== 'worker') run.loadDemoPeople(services, log)
    return { url: url ?? config.publicUrl, app: open.app, stop: () => shutdown.run() }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}
