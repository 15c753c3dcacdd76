import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'

// The providers whose refusal is in the log. Each request has its own App, so the configuration is the key.
const logged = new WeakMap<App['config'], Set<OAuthProvider>>()

/** Logs that a provider refuses this installation's client secret. Logs only once until the provider issues a token again. */
export function logClientRefused(app: App, provider: OAuthProvider, code: string): void {
  const providers = logged.get(app.config) ?? new Set<OAuthProvider>()
  logged.set(app.config, providers)
  if (providers.has(provider)) return
  providers.add(provider)
  app.log.error({ event: 'oauth.client_refused', provider, code })
}

export function forgetClientRefused(app: App, provider: OAuthProvider): void {
  logged.get(app.config)?.delete(provider)
}
