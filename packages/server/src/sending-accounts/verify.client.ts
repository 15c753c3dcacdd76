import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { openSecrets, renewsToken } from './credentials.client.ts'
import {
  loginKind,
  simulatedChecks,
  tokenRefused,
  verifyCredentials,
  type Verification,
} from './logins/verify-credentials.client.ts'
import type { Sender } from './sending-account.ts'

/** Connects and logs in to SMTP and IMAP. Simulated in the test environment. Must not run inside a transaction. */
export async function verifySender(app: App, tenant: Tenant, sender: Sender): Promise<Verification> {
  const verified = await verifyOnce(app, tenant, sender)
  const isRefused = verified.failure?.status === 'auth_required'
  return isRefused && renewsToken(app, tenant, sender) ? verifyOnce(app, tenant, sender) : verified
}

async function verifyOnce(app: App, tenant: Tenant, sender: Sender): Promise<Verification> {
  const credentials = await openSecrets(app, tenant, sender.id)
  switch (credentials.kind) {
    case 'sandbox':
      return { checks: simulatedChecks(sender.provider === 'sandbox' || sender.imap !== null), failure: null }
    case 'auth_required':
      return tokenRefused(credentials.message, 'auth_required', loginKind(sender.tenantConnectionId !== null, true))
    case 'unavailable':
      return tokenRefused(credentials.message, 'connection_error', loginKind(sender.tenantConnectionId !== null, true))
    case 'missing':
      return { checks: [], failure: null }
    case 'ready':
      return verifyCredentials(app, credentials)
  }
}
