import { createJobHandlers } from './jobs.ts'
import type { OpenApp } from './open-app.shell.ts'
import { sleep } from '../platform/clock.ts'
import { ConfigError } from '../platform/config.ts'
import { errorCode } from '../platform/db/errors.ts'
import { createHttpServer } from '../platform/http/server.shell.ts'
import { createJobRunner } from '../platform/jobs/runner.worker.ts'
import type { Shutdown } from '../platform/lifecycle/shutdown.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import type { Logger } from '../platform/log.shell.ts'
import { createMeasures } from './measures.shell.ts'
import { agreeOnPublicUrl } from './public-url.commands.ts'
import { createPublicRoutes, createRoutes } from './routes.ts'
import type { Services } from './services.ts'
import { createWorkers } from './workers.ts'

export { prepareFirstStart, prepareSetupLink } from './first-start.commands.ts'
export { finishRestore } from './restore.commands.ts'
export { createServices } from './services.ts'

/** The steps of a start that depend on every feature. start.ts calls them in order. */
export interface Parts {
  open: OpenApp
  services: Services
  shutdown: Shutdown
}

/** A worker serves only health and metrics, and neither if an API process of this machine has the port. */
export async function serve({ open, services, shutdown }: Parts): Promise<string | null> {
  const { app } = open
  const { config } = app
  const isApi = config.role !== 'worker'
  const server = await createHttpServer({
    app,
    routes: isApi ? createRoutes(app, services) : [],
    publicRoutes: isApi ? createPublicRoutes(app, services) : [],
    limiter: services.admission,
    sessions: services.sessions,
    publicUrl: config.publicUrlIsDefault ? undefined : config.publicUrl,
    measure: createMeasures(open),
  })
  shutdown.add('drain', 'http', async () => {
    server.drain()
    if (isApi) await sleep(config.drainSeconds * 1000)
  })
  // An open stream would delay the stop.
  shutdown.add('accept', 'streams', () => services.streams.stop())
  shutdown.add('accept', 'http', async () => {
    await server.close()
    await services.admission.stop()
  })
  try {
    const url = await server.listen(config)
    await agreeOnPublicUrl(app, url)
    return url
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE' && !isApi) {
      await agreeOnPublicUrl(app, null)
      return null
    }
    if (code === 'EADDRINUSE' || code === 'EACCES')
      throw new ConfigError([`PORT: ${config.port} can't be used (${code}).`])
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError([`HOST: not an address of this machine (${code}).`])
    throw error
  }
}

export async function startWorkers({ open, services, shutdown }: Parts): Promise<void> {
  const { app } = open
  const workers: Worker[] = [
    createJobRunner({ app, handlers: createJobHandlers(services) }),
    ...createWorkers(app, services),
  ]
  for (const worker of workers) {
    shutdown.add('workers', worker.name, () => worker.stop())
    await worker.start()
  }
}

/** The start does not wait for this. A search in a test environment waits until it is done. */
export function loadDemoPeople({ finder }: Services, log: Logger): void {
  finder.loadDemo().catch((error: Error) => log.error({ event: 'finder.demo_failed', reason: error.message }))
}
