import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts'
import { createPublicRoutes, createRoutes } from '@overture/server/composition/routes.ts'
import { createServices, type Services } from '@overture/server/composition/services.ts'
import { roomySessions } from './limits.ts'

interface WholeServerOptions extends Omit<TestServerOptions, 'routes' | 'compose'> {
  /** Where the test environment's clock reads its plans. */
  plansFrom?: 'memory' | 'database'
  /** Called with the services behind the endpoints. */
  composed?: (services: Services) => void
}

/** Starts a server with every endpoint that main.ts mounts, on its own database and without workers. */
export function startWholeServer({ plansFrom, composed, ...options }: WholeServerOptions = {}): Promise<TestServer> {
  return startTestServer({
    ...options,
    async compose({ app, database }) {
      const { url: databaseUrl } = database
      const services = await createServices({
        app,
        engine: app,
        databaseUrl,
        sessionRates: options.sessionRates ?? roomySessions,
        ...(plansFrom && { plansFrom }),
      })
      composed?.(services)
      return {
        admission: services.admission,
        routes: createRoutes(app, services),
        publicRoutes: createPublicRoutes(app, services),
        drain: () => services.streams.stop(),
        stop: () => services.stop(),
      }
    },
  })
}
