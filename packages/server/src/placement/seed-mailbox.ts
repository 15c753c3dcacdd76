import { invalid, type ValidationIssue } from '@overture/contract/errors.ts'
import type {
  CreateSeedMailboxInput,
  SeedMailbox,
  SeedStatus,
  UpdateSeedMailboxInput,
} from '@overture/contract/placement/seed-mailboxes.ts'
import type { Environment } from '@overture/contract/endpoint.ts'

export interface SeedServer {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  username: string
}

export interface SeedRow {
  id: string
  email: string
  /** The login. Null: the mailbox is simulated. */
  imap: SeedServer | null
  status: SeedStatus
  lastError: string | null
  checkedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface SeedSettings {
  email: string
  imap: SeedServer | null
  /** The new password. Null keeps the stored one. */
  password: string | null
}

const tlsPort = 993
const simulatedDomain = 'seeds.test'

/** Returns a new mailbox, or throws 400 with the field. */
export function newSeed({ email, imap }: CreateSeedMailboxInput, environment: Environment): SeedSettings {
  if (imap !== undefined) {
    const { host, port } = imap
    const security = imap.security ?? (port === tlsPort ? 'tls' : 'starttls')
    return { email, imap: { host, port, security, username: imap.username ?? email }, password: imap.password }
  }
  if (environment === 'live')
    throw invalid({ path: 'imap', rule: 'required', message: 'Needed in the live environment.' })
  if (email.toLowerCase().endsWith(`@${simulatedDomain}`)) return { email, imap: null, password: null }
  const message = `Use an address of ${simulatedDomain}, or set imap.`
  throw invalid({ path: 'email', rule: 'simulated', message })
}

/** Merges an update, or throws 400. A password is never sent to a server that it was not given for. */
export function changedSeed(current: SeedRow, { email, imap }: UpdateSeedMailboxInput): SeedSettings {
  const next = { email: email ?? current.email, imap: current.imap, password: null }
  if (imap === undefined) return next
  const { password = null, ...server } = imap
  const given = Object.fromEntries(Object.entries(server).filter(([, value]) => value !== undefined))
  const before: Partial<SeedServer> = { username: next.email, security: 'tls', ...current.imap }
  const merged = { ...before, ...given }
  const issues: ValidationIssue[] = []
  for (const field of ['host', 'port'] as const)
    if (merged[field] === undefined) issues.push({ path: `imap.${field}`, rule: 'required', message: 'Required.' })
  const isMoved = JSON.stringify(merged) !== JSON.stringify(before)
  if (password === null && isMoved) {
    const message = 'Send the password again, because the server or the username changes.'
    issues.push({ path: 'imap.password', rule: 'required', message })
  }
  if (issues.length > 0) throw invalid(...issues)
  return { email: next.email, imap: merged as SeedServer, password }
}

export function presentSeed({ checkedAt, createdAt, updatedAt, ...row }: SeedRow): SeedMailbox {
  return {
    ...row,
    checkedAt: checkedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
