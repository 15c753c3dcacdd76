import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'

// The providers that refused the client of this installation. Each request has its own App, so the configuration is the key.
const told = new WeakMap<App['config'], Set<OAuthProvider>>()

/** Logs once, until the provider gives a token again, that it refuses the client secret of this installation. */
export function logClientRefused(app: App, provider: OAuthProvider, code: string): void {
  const providers = told.get(app.config) ?? new Set<OAuthProvider>()
  told.set(app.config, providers)
  if (providers.has(provider)) return
  providers.add(provider)
  app.log.error({ event: 'oauth.client_refused', provider, code })
}

export function forgetClientRefused(app: App, provider: OAuthProvider): void {
  told.get(app.config)?.delete(provider)
}
