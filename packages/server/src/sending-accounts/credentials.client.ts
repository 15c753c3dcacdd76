import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { MailAuth, MailSecurity } from '../platform/mail/smtp-connect.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ReadyCredentials } from './logins/mail-login.client.ts'
import { forgetClientRefused, logClientRefused } from './oauth/client-refused.shell.ts'
import { refreshAccessToken } from './oauth/oauth.client.ts'
import { readSenderWithSecrets } from './sender-reads.shell.ts'
import { sealSecrets, unsealSecrets } from './sender-secrets.shell.ts'
import { passwordLogins, type PasswordLogins, type SenderSecrets } from './sender-servers.ts'
import type { Sender } from './sending-account.ts'
import { connectionToken, dropToken } from './tenants/connection-tokens.client.ts'
import { findSenderSecrets, lockSender, updateSenderSecrets } from './sending-accounts.sql.ts'

type SenderCredentials =
  | ReadyCredentials
  /** A simulated mailbox, as for every sender of the test environment. No server may be contacted. */
  | { kind: 'sandbox' }
  /** Its owner must connect it again. */
  | { kind: 'auth_required'; message: string }
  /** The token endpoint gave no token, for a reason that the owner of the mailbox can't change. */
  | { kind: 'unavailable'; message: string }
  | { kind: 'missing' }

// An access token is renewed this long before it expires, so that it is valid during the whole login.
const accessTokenSlackMs = 2 * minuteMs

/** Returns what is needed to log in as this sender. Refreshes an OAuth token that expires soon. Must not run inside a transaction. */
export async function openSecrets(app: App, tenant: Tenant, id: string): Promise<SenderCredentials> {
  const sender = await readSenderWithSecrets(app.db, tenant, id)
  if (sender === null) return { kind: 'missing' }
  if (tenant.environment === 'test' || sender.smtp === null) return { kind: 'sandbox' }
  const secrets = unsealSecrets(app.secrets, tenant, id, sender.secrets)
  if (sender.provider === 'smtp') return passwordCredentials(tenant, sender, secrets)
  const token = await findAccessToken(app, tenant, sender, secrets)
  if (token.kind !== 'token') return token
  const auth = (username: string | null): MailAuth => ({
    kind: 'xoauth2',
    username: username ?? sender.email,
    accessToken: token.accessToken,
  })
  return {
    kind: 'ready',
    accountId: tenant.accountId,
    application: sender.tenantConnectionId !== null,
    smtp: { ...toServer(sender.smtp), auth: auth(sender.smtp.username) },
    imap:
      sender.imap === null
        ? null
        : { ...toServer(sender.imap), auth: auth(sender.imap.username), sentFolder: sender.imap.sentFolder },
  }
}

function passwordCredentials({ accountId }: Tenant, sender: Sender, secrets: SenderSecrets): SenderCredentials {
  if (sender.smtp === null) return { kind: 'sandbox' }
  const logins = passwordLogins(sender, secrets)
  const auth = (login: PasswordLogins['smtp']): MailAuth | null =>
    login === null ? null : { kind: 'password', ...login }
  const imapAuth = auth(logins.imap)
  return {
    kind: 'ready',
    accountId,
    smtp: { ...toServer(sender.smtp), auth: auth(logins.smtp) },
    imap:
      sender.imap === null || imapAuth === null
        ? null
        : { ...toServer(sender.imap), auth: imapAuth, sentFolder: sender.imap.sentFolder },
  }
}

function toServer(server: { host: string; port: number; security: MailSecurity }) {
  return { host: server.host, port: server.port, security: server.security }
}

/** Whether the next login gets a new access token: the last one is old, and an administrator may have allowed more since then. */
export function renewsToken(app: App, tenant: Tenant, sender: Sender): boolean {
  const connected = connectedMailbox(sender)
  return connected !== null && dropToken(app, tenant, connected)
}

function connectedMailbox({ tenantConnectionId: connectionId, provider, smtp, email }: Sender) {
  if (connectionId === null) return null
  const at = provider === 'google' ? ('google' as const) : ('microsoft' as const)
  return { connectionId, provider: at, mailbox: smtp?.username ?? email }
}

type AccessToken = { kind: 'token'; accessToken: string } | { kind: 'auth_required' | 'unavailable'; message: string }

// Only one refresh per sender runs at a time: a provider that rotates refresh tokens accepts each only once. Each request has its
// own App, so the configuration is the key.
const refreshing = new WeakMap<App['config'], Map<string, Promise<AccessToken>>>()

async function findAccessToken(app: App, tenant: Tenant, sender: Sender, secrets: SenderSecrets): Promise<AccessToken> {
  const connected = connectedMailbox(sender)
  if (connected !== null) return connectionToken(app, tenant, connected)
  const nowMs = app.clock.now().getTime()
  if (secrets.accessToken !== undefined && (secrets.accessTokenExpiresAt ?? 0) - accessTokenSlackMs > nowMs) {
    return { kind: 'token', accessToken: secrets.accessToken }
  }
  if (secrets.refreshToken === undefined) return { kind: 'auth_required', message: 'The mailbox is not connected yet.' }
  const running = refreshing.get(app.config) ?? new Map<string, Promise<AccessToken>>()
  refreshing.set(app.config, running)
  const key = `${tenant.accountId}/${tenant.environment}/${sender.id}`
  const known = running.get(key)
  if (known !== undefined) return known
  const started = refresh(app, tenant, sender, secrets.refreshToken).finally(() => running.delete(key))
  running.set(key, started)
  return started
}

async function refresh(app: App, tenant: Tenant, sender: Sender, refreshToken: string): Promise<AccessToken> {
  const provider = sender.provider === 'google' ? 'google' : 'microsoft'
  const answer = await refreshAccessToken({ provider, config: app.config.oauth[provider] }, refreshToken)
  if (answer.kind === 'refused') {
    // Another node may have just refreshed and rotated the token. Its stored access token is then valid.
    const stored = unsealSecrets(app.secrets, tenant, sender.id, await findSenderSecrets(app.db, tenant, sender.id))
    if (stored.accessToken !== undefined && stored.refreshToken !== refreshToken)
      return { kind: 'token', accessToken: stored.accessToken }
    return { kind: 'auth_required', message: answer.message }
  }
  if (answer.kind === 'unavailable') return answer
  if (answer.kind === 'client_refused') {
    logClientRefused(app, provider, answer.code)
    return { kind: 'unavailable', message: answer.message }
  }
  forgetClientRefused(app, provider)
  await storeTokens(app, tenant, sender.id, {
    usedRefreshToken: refreshToken,
    refreshToken: answer.refreshToken ?? refreshToken,
    accessToken: answer.accessToken,
    accessTokenExpiresAt: app.clock.now().getTime() + answer.expiresInSeconds * 1000,
  })
  return { kind: 'token', accessToken: answer.accessToken }
}

async function storeTokens(
  app: App,
  tenant: Tenant,
  id: string,
  tokens: { usedRefreshToken: string; refreshToken: string; accessToken: string; accessTokenExpiresAt: number },
): Promise<void> {
  await app.db.transaction(async (tx) => {
    if ((await lockSender(tx, tenant, id)) === null) return
    const secrets = unsealSecrets(app.secrets, tenant, id, await findSenderSecrets(tx, tenant, id))
    // The owner connected again in the meantime, so the newer tokens are kept.
    if (secrets.refreshToken !== tokens.usedRefreshToken) return
    const { usedRefreshToken: _used, ...fresh } = tokens
    const sealed = sealSecrets(app.secrets, tenant, id, { ...secrets, ...fresh })
    if (sealed !== null) await updateSenderSecrets(tx, tenant, id, sealed)
  })
}
