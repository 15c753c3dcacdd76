import { prepareFirstStart } from './first-start.ts'
import { createJobHandlers } from './jobs.ts'
import { openApp, type OpenApp } from './open-app.ts'
import { ConfigError, type Config } from './platform/config.ts'
import { errorCode } from './platform/db/errors.ts'
import { createHttpServer } from './platform/http/server.ts'
import { createJobRunner } from './platform/jobs/runner.ts'
import { createShutdown, type Shutdown } from './platform/lifecycle/shutdown.ts'
import type { Worker } from './platform/lifecycle/worker.ts'
import type { Logger } from './platform/log.ts'
import { createServices, type Services } from './services.ts'
import { createPublicRoutes, createRoutes } from './routes.ts'
import { createWorkers } from './workers.ts'

export interface StartOptions {
  config: Config
  log: Logger
  /** One line for the operator, on standard output. */
  print: (line: string) => void
}

export interface RunningServer {
  url: string
  /** Stops in phases; the database last. */
  stop(): Promise<void>
}

/** Starts everything that the role asks for, in order; what was started is stopped again when a later part fails. */
export async function startOverture(options: StartOptions): Promise<RunningServer> {
  const { config, log, print } = options
  const shutdown = createShutdown(log)
  try {
    const open = await openApp({ config, log, kind: 'server' })
    shutdown.add('database', 'pool', () => open.db.close())
    shutdown.add('postgres', 'postgres', () => open.postgres?.stop())
    if (config.role !== 'worker') {
      const keys = await prepareFirstStart(open.app)
      if (keys !== null) {
        print(`test key: ${keys.test}`)
        print(`live key: ${keys.live}`)
      }
    }
    const services = await createServices(open)
    shutdown.add('services', 'services', () => services.stop())
    const url = await serve({ open, services, shutdown })
    if (config.role !== 'api') await startWorkers({ open, services, shutdown })
    print(url === null ? 'working' : `listening on ${url}`)
    if (config.role !== 'worker') loadDemoPeople(services, log)
    return { url: url ?? config.publicUrl, stop: () => shutdown.run() }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

// Not waited for: a search of a test environment that comes before the end of it waits by itself.
function loadDemoPeople({ finder }: Services, log: Logger): void {
  finder.loadDemo().catch((error: Error) => log.error({ event: 'finder.demo_failed', reason: error.message }))
}

interface Parts {
  open: OpenApp
  services: Services
  shutdown: Shutdown
}

/** A worker serves its health and metrics alone, and not even those when an API of this machine has the port. */
async function serve({ open, services, shutdown }: Parts): Promise<string | null> {
  const { app } = open
  const { config } = app
  const isApi = config.role !== 'worker'
  const server = await createHttpServer({
    app,
    routes: isApi ? createRoutes(app, services) : [],
    publicRoutes: isApi ? createPublicRoutes(app, services) : [],
    limiter: services.admission,
    publicUrl: config.publicUrlIsDefault ? undefined : config.publicUrl,
  })
  shutdown.add('accept', 'http', async () => {
    server.drain()
    await server.close()
    await services.admission.stop()
  })
  try {
    const url = await server.listen(config)
    if (config.publicUrlIsDefault) config.publicUrl = url
    return url
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE' && !isApi) return null
    if (code === 'EADDRINUSE' || code === 'EACCES')
      throw new ConfigError([`PORT: ${config.port} can't be used (${code}).`])
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError([`HOST: no address of this machine (${code}).`])
    throw error
  }
}

async function startWorkers({ open, services, shutdown }: Parts): Promise<void> {
  const { app } = open
  const workers: Worker[] = [
    createJobRunner({ app, handlers: createJobHandlers(app, services) }),
    ...createWorkers(app, services),
  ]
  for (const worker of workers) {
    shutdown.add('workers', worker.name, () => worker.stop())
    await worker.start()
  }
}
