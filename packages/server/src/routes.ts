import { accountsRoutes } from './accounts/index.ts'
import { apiKeysRoutes, countActiveKeys } from './api-keys/index.ts'
import { creditSummary } from './credits/index.ts'
import type { App } from './platform/app.ts'
import type { PublicRoute } from './platform/http/public-route.ts'
import type { Route } from './platform/http/route.ts'
import type { Services } from './services.ts'

/** Every endpoint of `/v2`. */
export function createRoutes(_app: App, { admission }: Services): Route[] {
  const sources = {
    usedRequests: (_db: unknown, accountId: string) => admission.usage(accountId),
    activeApiKeys: countActiveKeys,
    credits: creditSummary,
  }
  return [...accountsRoutes({ sources }), ...apiKeysRoutes({ admission })]
}

/** Pages, pixels and hooks outside `/v2`. */
export function createPublicRoutes(_app: App, _services: Services): PublicRoute[] {
  return []
}
