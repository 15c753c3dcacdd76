import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'

const rememberedMax = 10_000

// The connections whose refusal is in the log. Each request has its own App, so the configuration is the key.
const logged = new WeakMap<App['config'], Set<string>>()

/** Logs a refused connection once, until its provider gives a token again. */
export function logConnectionRefused(
  app: App,
  tenant: Tenant,
  { connectionId, provider, code }: { connectionId: string; provider: OAuthProvider; code: string },
): void {
  const connections = logged.get(app.config) ?? new Set<string>()
  logged.set(app.config, connections)
  const key = connectionKey(tenant, connectionId)
  if (connections.has(key)) return
  if (connections.size >= rememberedMax) connections.clear()
  connections.add(key)
  app.log.warn({ event: 'tenant_connection.refused', ...tenant, tenantConnectionId: connectionId, provider, code })
}

export function forgetConnectionRefused(app: App, tenant: Tenant, connectionId: string): void {
  logged.get(app.config)?.delete(connectionKey(tenant, connectionId))
}

function connectionKey({ accountId, environment }: Tenant, connectionId: string): string {
  return `${accountId}/${environment}/${connectionId}`
}
