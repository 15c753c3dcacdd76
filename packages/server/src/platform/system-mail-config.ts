import type { Reader } from './settings/read-settings.ts'
import type { MailServerConfig } from './mail-config.ts'

/** The mail server for messages of the installation to its own users, never to leads. */
export interface SystemMailConfig extends MailServerConfig {
  /** Null for no login. */
  login: { username: string; password: string } | null
  from: string
}

const usualPorts = { tls: 465, starttls: 587, none: 25 } as const

/** `smtp://user:password@host:587?starttls&from=overture@example.com`; null without OVERTURE_SYSTEM_MAIL_URL. */
export function readSystemMail(read: Reader): SystemMailConfig | null {
  const text = read.value('OVERTURE_SYSTEM_MAIL_URL')
  if (text === null) return null
  const url = new URL(text)
  const username = decodeURIComponent(url.username)
  const security = url.protocol === 'smtps:' ? 'tls' : url.searchParams.has('starttls') ? 'starttls' : 'none'
  const from = url.searchParams.get('from') ?? username
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(from))
    read.problems.push('OVERTURE_SYSTEM_MAIL_URL: needs ?from=ADDRESS, unless the user name is an address.')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPorts[security] : Number(url.port),
    security,
    login: username === '' ? null : { username, password: decodeURIComponent(url.password) },
    from,
  }
}
