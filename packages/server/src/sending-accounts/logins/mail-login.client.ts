import { isIP } from 'node:net'
import type { App } from '../../platform/app.ts'
import type { ImapConnectOptions } from '../../platform/mail/imap-session.client.ts'
import { accountReach } from '../../platform/mail/network-guard.client.ts'
import {
  defaultSmtpTimeoutsMs,
  type MailAuth,
  type MailSecurity,
  type SmtpConnectOptions,
} from '../../platform/mail/smtp-connect.client.ts'

const imapConnectTimeoutMs = 20_000

/** The servers of a mailbox, and what logs in to them. */
export interface ReadyCredentials {
  kind: 'ready'
  accountId: string
  /** Whether the login belongs to the whole organization and not to the owner of the mailbox. */
  application?: boolean
  smtp: { host: string; port: number; security: MailSecurity; auth: MailAuth | null }
  imap: { host: string; port: number; security: MailSecurity; auth: MailAuth; sentFolder: string | null } | null
}

export function smtpOptions(app: App, ready: ReadyCredentials): SmtpConnectOptions {
  const { hostname } = new URL(app.config.publicUrl)
  const named = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname.includes('.')
  return {
    ...ready.smtp,
    clientName: named ? hostname : undefined,
    timeoutsMs: defaultSmtpTimeoutsMs,
    reach: accountReach(app, ready.accountId),
  }
}

/** The IMAP options of a sender, or null if its replies are not read. */
export function imapOptions(app: App, ready: ReadyCredentials): ImapConnectOptions | null {
  if (ready.imap === null) return null
  const { sentFolder: _sentFolder, ...server } = ready.imap
  return { ...server, connectTimeoutMs: imapConnectTimeoutMs, reach: accountReach(app, ready.accountId) }
}
