import type { Reader } from './environment.ts'

/** How mail of strangers is read, by each process. */
export interface InboxConfig {
  /** In which messages are read apart from everything else. */
  threadsMax: number
  /** One message's time, after which it is set aside. */
  secondsMax: number
  /** Of one thread's memory. */
  mebibytesMax: number
}

export interface OAuthConfig {
  clientId: string | null
  clientSecret: string | null
  authorizationUrl: string
  tokenUrl: string
  smtp: MailServerConfig
  imap: MailServerConfig
}

export interface MailServerConfig {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
}

export function readInbox(read: Reader): InboxConfig {
  return {
    threadsMax: read.integer('OVERTURE_MAIL_THREADS', { min: 1, max: 64 }) ?? 2,
    secondsMax: read.integer('OVERTURE_MAIL_SECONDS_MAX', { min: 1, max: 60 }) ?? 2,
    mebibytesMax: read.integer('OVERTURE_MAIL_MEBIBYTES_MAX', { min: 64, max: 4_096 }) ?? 256,
  }
}

export function readGoogle(read: Reader): OAuthConfig {
  return readOAuth(read, 'GOOGLE', {
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  })
}

export function readMicrosoft(read: Reader): OAuthConfig {
  return readOAuth(read, 'MICROSOFT', {
    authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
  })
}

type OAuthDefaults = Omit<OAuthConfig, 'clientId' | 'clientSecret'>

function readOAuth(read: Reader, name: string, defaults: OAuthDefaults): OAuthConfig {
  return {
    clientId: read.text(`${name}_OAUTH_CLIENT_ID`),
    clientSecret: read.text(`${name}_OAUTH_CLIENT_SECRET`),
    authorizationUrl: read.url(`${name}_OAUTH_AUTHORIZATION_URL`, ['http:', 'https:']) ?? defaults.authorizationUrl,
    tokenUrl: read.url(`${name}_OAUTH_TOKEN_URL`, ['http:', 'https:']) ?? defaults.tokenUrl,
    smtp: mailServer(read.url(`${name}_SMTP_URL`, ['smtp:', 'smtps:']), defaults.smtp),
    imap: mailServer(read.url(`${name}_IMAP_URL`, ['imap:', 'imaps:']), defaults.imap),
  }
}

/** `smtps://host:465` is TLS, `smtp://host:587?starttls` STARTTLS, `smtp://host:25` plain; `imap` alike. */
function mailServer(text: string | null, fallback: MailServerConfig): MailServerConfig {
  if (text === null) return fallback
  const url = new URL(text)
  const tls = url.protocol === 'smtps:' || url.protocol === 'imaps:'
  const security = tls ? 'tls' : url.searchParams.has('starttls') ? 'starttls' : 'none'
  return { host: url.hostname, port: url.port === '' ? fallback.port : Number(url.port), security }
}
