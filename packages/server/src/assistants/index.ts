import type { App } from '../platform/app.ts'
import type { SessionAdmission } from '../platform/http/admission.ts'
import type { PublicRoute } from '../platform/http/public-route.ts'
import type { Protection } from '../platform/http/route.ts'
import { authorizeRoutes } from './authorize.routes.ts'
import { consentRoutes } from './consent.routes.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { createAuthorizationServer } from './server.shell.ts'

export { readAssistantAccess } from './access.shell.ts'
export { assistantsPeriodic } from './assistants.worker.ts'
export { grantKeyContext } from './grants.commands.ts'
export { grantRoutes } from './grants.routes.ts'

interface PageTools {
  sessions: SessionAdmission
  protection: Protection
  /** Fetches the document that describes a client. By default from its host. */
  fetchDocument?: (url: string) => Promise<Response>
}

/** The pages by which assistants get access. They need the console, where a person answers. */
export function assistantPages(app: App, { fetchDocument, ...tools }: PageTools): PublicRoute[] {
  const { mcp, console: hasConsole } = app.config
  if (mcp === null || !hasConsole) return []
  const server = createAuthorizationServer(app, fetchDocument)
  return [...oauthRoutes(app, server), ...authorizeRoutes(server), ...consentRoutes({ app, mcp, server, ...tools })]
}
