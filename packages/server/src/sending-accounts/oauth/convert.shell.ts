import type { OAuthProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { insertMailbox } from '../reconnect.sql.ts'
import { firstReadingMs, type Sender } from '../sending-account.ts'
import { findSender, updateSenderProvider } from '../sending-accounts.sql.ts'
import { verifyCredentials } from '../logins/verify-credentials.client.ts'
import { convertedServers } from './convert.ts'
import type { State } from './oauth-state.ts'
import { providerNames } from './oauth.ts'

/**
 * Logs in to both servers with the new token of an account that still has a password. Returns the reason if a server refused,
 * or null if both accepted or nothing needs conversion. Must not run inside a transaction.
 */
export async function newLoginRefusal(
  app: App,
  { tenant, provider, sendingAccountId }: State,
  accessToken: string,
): Promise<string | null> {
  const sender = sendingAccountId === '' ? null : await findSender(app.db, tenant, sendingAccountId)
  if (sender?.provider !== 'smtp' || tenant.environment === 'test') return null
  const { smtp, imap } = convertedServers(sender, app.config.oauth[provider])
  const auth = { kind: 'xoauth2' as const, username: sender.email, accessToken }
  const { checks } = await verifyCredentials(app, {
    kind: 'ready',
    accountId: tenant.accountId,
    smtp: { host: smtp.host, port: smtp.port, security: smtp.security, auth },
    imap: { host: imap.host, port: imap.port, security: imap.security, auth, sentFolder: imap.sentFolder },
  })
  const failed = checks.find(({ ok }) => !ok)
  if (failed === undefined) return null
  const refusal = `${providerNames[provider]} did not accept the new login, so ${sender.email} keeps its password.`
  return [refusal, failed.message, failed.advice].filter(Boolean).join(' ')
}

/** Gives an account the servers of a provider. Rows that refer to the account don't change. */
export async function convertSender(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  { sender, provider, now }: { sender: Sender; provider: OAuthProvider; now: Date },
): Promise<Sender> {
  const servers = convertedServers(sender, app.config.oauth[provider])
  const converted = await updateSenderProvider(tx, tenant, { id: sender.id, provider, ...servers, now })
  await insertMailbox(tx, tenant, sender.id, new Date(now.getTime() - firstReadingMs))
  return converted
}
