import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts'
import { createPublicRoutes, createRoutes } from '@overture/server/composition/routes.ts'
import { createServices } from '@overture/server/composition/services.ts'

/** Every endpoint, as main.ts mounts them, over a database of its own; without workers. */
export function startWholeServer(options: Omit<TestServerOptions, 'routes' | 'compose'> = {}): Promise<TestServer> {
  return startTestServer({
    ...options,
    async compose({ app, database }) {
      const { url: databaseUrl } = database
      const services = await createServices({ app, engine: app, databaseUrl })
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
