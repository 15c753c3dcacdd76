import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts'
import { createPublicRoutes, createRoutes } from '@overture/server/composition/routes.ts'
import { createServices } from '@overture/server/composition/services.ts'

interface WholeServerOptions extends Omit<TestServerOptions, 'routes' | 'compose'> {
  /** Where the test environment's clock reads its plans. */
  plansFrom?: 'memory' | 'database'
}

/** Starts a server with every endpoint that main.ts mounts, on its own database and without workers. */
export function startWholeServer({ plansFrom, ...options }: WholeServerOptions = {}): Promise<TestServer> {
  return startTestServer({
    ...options,
    async compose({ app, database }) {
      const { url: databaseUrl } = database
      const services = await createServices({ app, engine: app, databaseUrl, ...(plansFrom && { plansFrom }) })
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
