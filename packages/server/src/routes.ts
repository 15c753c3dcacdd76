import type { App } from './platform/app.ts'
import type { PublicRoute } from './platform/http/public-route.ts'
import type { Route } from './platform/http/route.ts'
import type { Services } from './services.ts'

/** Every endpoint of `/v2`. */
export function createRoutes(_app: App, _services: Services): Route[] {
  return []
}

/** Pages, pixels and hooks outside `/v2`. */
export function createPublicRoutes(_app: App, _services: Services): PublicRoute[] {
  return []
}
