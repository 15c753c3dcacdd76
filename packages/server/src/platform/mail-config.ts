import type { Reader } from './settings/read-settings.ts'

/** How each process reads incoming mail, which strangers may have written. */
export interface InboxConfig {
  /** The number of threads that parse messages, separate from all other work. */
  threadsMax: number
  /** The time limit for one message. A slower message is set aside. */
  secondsMax: number
  /** The memory limit of one thread. */
  mebibytesMax: number
  /** The number of mailboxes in which a process idles; null chooses it by the available memory. */
  idleMailboxesMax: number | null
}

export interface OAuthConfig {
  clientId: string | null
  clientSecret: string | null
  authorizationUrl: string
  tokenUrl: string
  smtp: MailServerConfig
  imap: MailServerConfig
}

/**
 * `authorityUrl` is the base address of the pages of a single organization, without a trailing slash. `secretExpiresOn` is the
 * last day of the client secret, `YYYY-MM-DD`.
 */
export type MicrosoftConfig = OAuthConfig & { authorityUrl: string; secretExpiresOn: string | null }

export interface MailServerConfig {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
}

export function readInbox(read: Reader): InboxConfig {
  return {
    threadsMax: read.value('OVERTURE_MAIL_THREADS'),
    secondsMax: read.value('OVERTURE_MAIL_SECONDS_MAX'),
    mebibytesMax: read.value('OVERTURE_MAIL_MEBIBYTES_MAX'),
    idleMailboxesMax: read.value('OVERTURE_IDLE_MAILBOXES_MAX'),
  }
}

export function readGoogle(read: Reader): OAuthConfig {
  return readOAuth(read, 'GOOGLE', { smtp: 465, imap: 993 })
}

export function readMicrosoft(read: Reader): MicrosoftConfig {
  const authorityUrl = read.value('MICROSOFT_OAUTH_AUTHORITY_URL').replace(/\/$/, '')
  const secretExpiresOn = read.value('MICROSOFT_OAUTH_CLIENT_SECRET_EXPIRES')
  return { ...readOAuth(read, 'MICROSOFT', { smtp: 587, imap: 993 }), authorityUrl, secretExpiresOn }
}

function readOAuth(read: Reader, name: 'GOOGLE' | 'MICROSOFT', ports: { smtp: number; imap: number }): OAuthConfig {
  return {
    clientId: read.value(`${name}_OAUTH_CLIENT_ID`),
    clientSecret: read.value(`${name}_OAUTH_CLIENT_SECRET`),
    authorizationUrl: read.value(`${name}_OAUTH_AUTHORIZATION_URL`),
    tokenUrl: read.value(`${name}_OAUTH_TOKEN_URL`),
    smtp: mailServer(read.value(`${name}_SMTP_URL`), ports.smtp),
    imap: mailServer(read.value(`${name}_IMAP_URL`), ports.imap),
  }
}

/** `smtps://host:465` means TLS, `smtp://host:587?starttls` STARTTLS, `smtp://host:25` plain text. `imap` works alike. */
function mailServer(text: string, usualPort: number): MailServerConfig {
  const url = new URL(text)
  const tls = url.protocol === 'smtps:' || url.protocol === 'imaps:'
  const security = tls ? 'tls' : url.searchParams.has('starttls') ? 'starttls' : 'none'
  return { host: url.hostname, port: url.port === '' ? usualPort : Number(url.port), security }
}

/** The provider that verifies addresses. */
export interface VerificationConfig {
  provider: 'zerobounce' | 'neverbounce' | 'bouncer'
  apiKey: string
  /** Null means the provider's own URL. */
  baseUrl: string | null
}

/** Null if no provider is chosen. */
export function readVerification(read: Reader): VerificationConfig | null {
  const provider = read.value('OVERTURE_VERIFICATION_PROVIDER')
  if (provider === 'none') return null
  const apiKey = read.value('OVERTURE_VERIFICATION_API_KEY')
  if (apiKey === null) {
    read.problems.push(`OVERTURE_VERIFICATION_API_KEY: required with OVERTURE_VERIFICATION_PROVIDER=${provider}.`)
    return null
  }
  return { provider, apiKey, baseUrl: read.value('OVERTURE_VERIFICATION_BASE_URL')?.replace(/\/+$/, '') ?? null }
}
