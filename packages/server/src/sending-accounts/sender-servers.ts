import type { ValidationIssue } from '@overture/contract/errors.ts'
import type {
  CreateSendingAccountInput,
  ImapServer,
  SenderProvider,
  SenderStatus,
  SmtpServer,
  UpdateSendingAccountInput,
} from '@overture/contract/sending-accounts/sending-accounts.ts'

export type ProviderServers = { smtp: Omit<SmtpServer, 'username'>; imap: Omit<SmtpServer, 'username'> }

/** The secrets of a sender, encrypted at rest. `accessTokenExpiresAt` is milliseconds since 1970. */
export interface SenderSecrets {
  smtpPassword?: string
  imapPassword?: string
  refreshToken?: string
  accessToken?: string
  accessTokenExpiresAt?: number
}

/** A server as in the request, before omitted fields are filled in. */
type LooseServer = {
  host?: string
  port?: number
  security?: SmtpServer['security']
  username?: string | null
  sentFolder?: string | null
  password?: string
}

/** The stored servers into which an update is merged. */
interface CurrentServers {
  provider: SenderProvider
  smtp: SmtpServer | null
  imap: ImapServer | null
  tenantConnectionId?: string | null
}

export function newServers(input: CreateSendingAccountInput, provided: ProviderServers | null) {
  if (provided !== null) {
    return {
      smtp: { ...provided.smtp, username: input.email },
      imap: { ...provided.imap, username: input.email, sentFolder: null },
    }
  }
  const smtp = input.smtp ? toSmtp(input.smtp, input.smtp.password === undefined ? null : input.email) : null
  const imap = input.imap ? toImap(input.imap, smtp?.username ?? input.email) : null
  return { smtp, imap }
}

export function toSmtp(server: LooseServer, defaultUsername: string | null): SmtpServer {
  const port = server.port ?? 587
  return {
    host: (server.host ?? '').toLowerCase().replace(/^\[(.*)\]$/, '$1'),
    port,
    security: server.security ?? (port === 465 || port === 993 ? 'tls' : 'starttls'),
    username: server.username === undefined ? defaultUsername : server.username,
  }
}

export function toImap(server: LooseServer, defaultUsername: string | null): ImapServer {
  return { ...toSmtp({ ...server, port: server.port ?? 993 }, defaultUsername), sentFolder: server.sentFolder ?? null }
}

export function mergeServer(
  current: SmtpServer | ImapServer | null,
  sent: LooseServer | null | undefined,
): LooseServer | null {
  if (sent === undefined) return current
  if (sent === null) return null
  const { password: _password, ...fields } = sent
  return { ...current, ...fields }
}

export function changedServerIssues(
  current: CurrentServers,
  input: UpdateSendingAccountInput,
  merged: { smtp: LooseServer | null; imap: LooseServer | null },
  secrets: { smtpPassword?: string; imapPassword?: string },
): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const own = current.provider === 'smtp'
  for (const name of ['smtp', 'imap'] as const) {
    const server = merged[name]
    if (!own) {
      if (input[name] !== undefined && (input[name]?.password !== undefined || !sameServer(server, current[name]))) {
        issues.push({
          path: name,
          rule: 'provider',
          message: `Provider ${current.provider} sets the servers itself. Leave this field out.`,
        })
      }
      continue
    }
    if (server === null) {
      if (name === 'smtp') issues.push({ path: 'smtp', rule: 'required', message: 'Provider smtp needs a server.' })
      continue
    }
    for (const field of ['host', 'port'] as const) {
      if (server[field] === undefined) issues.push({ path: `${name}.${field}`, rule: 'required', message: 'Required.' })
    }
    const hasPassword =
      name === 'smtp'
        ? secrets.smtpPassword !== undefined
        : (secrets.imapPassword ?? secrets.smtpPassword) !== undefined
    issues.push(...credentialIssues(name, server, hasPassword))
  }
  if (input.oauth && current.provider !== 'google' && current.provider !== 'microsoft') {
    issues.push({ path: 'oauth', rule: 'provider', message: 'Only google and microsoft accept a token.' })
  } else if (input.oauth && (current.tenantConnectionId ?? null) !== null) {
    const message = 'This account logs in through the tenant connection of its organization. Leave this field out.'
    issues.push({ path: 'oauth', rule: 'tenant_connection', message })
  }
  return issues
}

function sameServer(left: LooseServer | null, right: LooseServer | null): boolean {
  const flat = (server: LooseServer | null): string =>
    JSON.stringify(server && [server.host, server.port, server.security, server.username, server.sentFolder ?? null])
  return flat(left) === flat(right)
}

/** Whether the stored login was refused and the change keeps both servers. Such a change can't replace a working login. */
export function repairsRefusedLogin(
  current: CurrentServers & { status: SenderStatus },
  { smtp, imap }: UpdateSendingAccountInput,
): boolean {
  return (
    current.status === 'auth_required' &&
    sameServer(mergeServer(current.smtp, smtp), current.smtp) &&
    sameServer(mergeServer(current.imap, imap), current.imap)
  )
}

export function credentialIssues(
  name: 'smtp' | 'imap',
  server: { username?: string | null },
  hasPassword: boolean,
): ValidationIssue[] {
  if (server.username && !hasPassword)
    return [{ path: `${name}.password`, rule: 'required', message: 'A username needs a password.' }]
  if (name === 'imap' && !hasPassword)
    return [{ path: 'imap.password', rule: 'required', message: 'IMAP needs a password.' }]
  return []
}

/** The logins of a sender with their passwords. A side without a login is null. */
export interface PasswordLogins {
  smtp: { username: string; password: string } | null
  imap: { username: string; password: string } | null
}

type Servers = { email: string; smtp: SmtpServer | null; imap: ImapServer | null }

/** IMAP uses the SMTP password if it has no password of its own. */
export function passwordLogins({ email, smtp, imap }: Servers, secrets: SenderSecrets): PasswordLogins {
  const imapPassword = secrets.imapPassword ?? secrets.smtpPassword
  return {
    smtp:
      smtp === null || smtp.username === null || secrets.smtpPassword === undefined
        ? null
        : { username: smtp.username, password: secrets.smtpPassword },
    imap:
      imap === null || imapPassword === undefined ? null : { username: imap.username ?? email, password: imapPassword },
  }
}

const strength: Record<SmtpServer['security'], number> = { none: 0, starttls: 1, tls: 2 }

/**
 * A stored password may be sent only to the same server, as the same user and with at least the same security. A change of any
 * of these must contain the password again: otherwise a key that may write could send the password to any server.
 */
export function passwordIssues(
  current: Servers,
  next: Servers,
  passwords: { stored: SenderSecrets; sent: { smtp: boolean; imap: boolean } },
): ValidationIssue[] {
  const { stored, sent } = passwords
  const before = passwordLogins(current, stored)
  const after = passwordLogins(next, stored)
  const repeated = { smtp: sent.smtp, imap: sent.imap || (sent.smtp && stored.imapPassword === undefined) }
  return (['smtp', 'imap'] as const)
    .filter((name) => after[name] !== null && !repeated[name])
    .filter((name) => isElsewhere(current[name], next[name]) || before[name]?.username !== after[name]?.username)
    .map((name) => ({
      path: `${name}.password`,
      rule: 'required',
      message: 'Send the password again, because the server, login or security changes.',
    }))
}

function isElsewhere(before: SmtpServer | null, after: SmtpServer | null): boolean {
  if (before === null || after === null) return true
  return (
    before.host !== after.host || before.port !== after.port || strength[after.security] < strength[before.security]
  )
}
