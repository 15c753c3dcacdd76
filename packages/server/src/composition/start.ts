import { openApp } from './open-app.shell.ts'
import { openTraces } from '../platform/traces/open-traces.shell.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config.ts'
import { createShutdown } from '../platform/lifecycle/shutdown.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { SessionRates } from '../team/index.ts'

interface StartOptions {
  config: Config
  log: Logger
  /** Prints one line for the operator on standard output. */
  print: (line: string) => void
  /** Stops a start that is not done yet. A start that waits for its database ends at once. */
  signal?: AbortSignal | undefined
  /** Other request rates of a session, for programs that click faster than a person. */
  sessionRates?: SessionRates
}

interface RunningServer {
  url: string
  app: App
  /** Stops in phases, with the database last. */
  stop(): Promise<void>
}

/** Starts all parts of the role in order. If a part fails, the parts started before are stopped again. */
export async function startOverture(options: StartOptions): Promise<RunningServer> {
  const { config, log, print, signal, sessionRates } = options
  const shutdown = createShutdown(log)
  try {
    // Loading the features takes about as long as the start of the database, so both run at once.
    const reading = import('./run.ts')
    const traces = await openTraces(config, log)
    shutdown.add('postgres', 'traces', () => traces.stop())
    const open = await openApp({ config, log, kind: 'server', signal })
    shutdown.add('database', 'pool', () => open.disconnect())
    shutdown.add('postgres', 'postgres', () => open.postgres?.stop())
    const run = await reading
    await run.finishRestore(open.app)
    const services = await run.createServices({ ...open, sessionRates })
    shutdown.add('services', 'services', () => services.stop())
    const url = await run.serve({ open, services, shutdown })
    // Printed only after the server listens: a start that fails must not use up keys that are shown once.
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
