import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  simulatedChecks,
  tokenRefused,
  verifyCredentials,
  type Verification,
} from '../logins/verify-credentials.client.ts'
import { unsealLogin } from './connection-secrets.shell.ts'
import { loginToken } from './connection-tokens.client.ts'

/** Logs in to one mailbox by SMTP and IMAP with a new token. Must not run inside a transaction. */
export async function verifyMailbox(
  app: App,
  tenant: Tenant,
  { id, secrets, email }: { id: string; secrets: Uint8Array; email: string },
): Promise<Verification> {
  if (tenant.environment === 'test') return { checks: simulatedChecks(true), failure: null }
  const login = unsealLogin(app.secrets, tenant, id, secrets)
  const answer = await loginToken(app, login, email)
  if (answer.kind !== 'token') {
    const status = answer.kind === 'refused' ? 'auth_required' : 'connection_error'
    return tokenRefused(answer.message, status, 'application')
  }
  const { smtp, imap } = app.config.oauth[login.provider]
  const auth = { kind: 'xoauth2' as const, username: email, accessToken: answer.accessToken }
  return verifyCredentials(app, {
    kind: 'ready',
    accountId: tenant.accountId,
    application: true,
    smtp: { ...smtp, auth },
    imap: { ...imap, auth, sentFolder: null },
  })
}
