import { dayMs, hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import { invalid, type ValidationIssue } from '@overture/contract/errors.ts'
import { type HealthSummary } from '@overture/contract/sending-accounts/domain-health.ts'
import {
  defaultDailyLimit,
  type CreateSendingAccountInput,
  type ImapServer,
  type RampUp,
  type SenderProvider,
  type SenderStatus,
  type SmtpServer,
  type UpdateSendingAccountInput,
} from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { IgnoredMail } from '@overture/contract/sending-accounts/ignored-mail.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import type { Pace } from '@overture/planner/deliverability/pace.ts'
import {
  changedServerIssues,
  credentialIssues,
  mergeServer,
  newServers,
  passwordIssues,
  toImap,
  toSmtp,
  type ProviderServers,
  type SenderSecrets,
} from './sender-servers.ts'
import { changedPace, gapIssues, mergeRampUp, newGaps, rampIssues, reservedIssues } from './sender-pacing.ts'
import { signatureIssues } from './signature.ts'

export type { ProviderServers, SenderSecrets } from './sender-servers.ts'

/** A sending account as stored, without its secrets. */
export interface Sender {
  id: string
  email: string
  fromName: string
  provider: SenderProvider
  smtp: SmtpServer | null
  imap: ImapServer | null
  status: SenderStatus
  statusReason: string | null
  statusAdvice: string | null
  lastError: string | null
  dailyLimit: number
  /** Messages per day that another tool sends from this mailbox. */
  reservedPerDay: number
  minGapSeconds: number
  maxGapSeconds: number
  timezone: string
  signature: string | null
  replyTo: string | null
  trackingDomain: string | null
  rampUp: RampUp | null
  rampStartedAt: Date | null
  pace: Pace | null
  requireAuthentication: boolean
  authenticationWrongSince: Date | null
  ignoreMail: IgnoredMail[]
  health: HealthSummary | null
  nextSendAt: Date | null
  sendSequence: number
  /** The number of changes of servers and logins. */
  connectionVersion: number
  heldUntil: Date | null
  holdCount: number
  retryAt: Date | null
  retryCount: number
  /** The connection of its organization, if the account logs in through it. */
  tenantConnectionId: string | null
  tagIds: string[]
  createdAt: Date
  updatedAt: Date
}

/** The fields that a person can set. */
export type SenderSettings = Pick<
  Sender,
  | 'email'
  | 'fromName'
  | 'smtp'
  | 'imap'
  | 'dailyLimit'
  | 'reservedPerDay'
  | 'minGapSeconds'
  | 'maxGapSeconds'
  | 'timezone'
  | 'signature'
  | 'replyTo'
  | 'trackingDomain'
  | 'rampUp'
  | 'rampStartedAt'
  | 'ignoreMail'
  | 'requireAuthentication'
>

interface NewSenderContext {
  environment: Environment
  accountTimezone: string
  /** The configured servers of `google` and `microsoft`. */
  providerServers: ProviderServers | null
  tenantConnectionId: string | null
  now: Date
}

/** Returns a new sender's settings and secrets, or throws 400 with every issue. Source: docs/contract.md, "Sending accounts". */
export function newSender(input: CreateSendingAccountInput, context: NewSenderContext) {
  const issues = providerIssues(input, context.environment)
  const gaps = newGaps(input.minGapSeconds, input.maxGapSeconds)
  const limits = { dailyLimit: input.dailyLimit ?? defaultDailyLimit, reservedPerDay: input.reservedPerDay ?? 0 }
  issues.push(...gapIssues(gaps), ...reservedIssues(limits), ...signatureIssues(input.signature))
  issues.push(...rampIssues(input.rampUp ?? null))
  if (issues.length > 0) throw invalid(...issues)
  const settings: SenderSettings = {
    email: input.email,
    fromName: input.fromName ?? input.email.slice(0, input.email.lastIndexOf('@')),
    ...newServers(input, context.providerServers),
    ...limits,
    ...gaps,
    timezone: input.timezone ?? context.accountTimezone,
    signature: input.signature ?? null,
    replyTo: input.replyTo ?? null,
    trackingDomain: input.trackingDomain?.toLowerCase() ?? null,
    rampUp: input.rampUp ?? null,
    rampStartedAt: input.rampUp?.enabled ? context.now : null,
    ignoreMail: input.ignoreMail ?? [],
    requireAuthentication: input.requireAuthentication ?? false,
  }
  const secrets: SenderSecrets = {
    smtpPassword: input.smtp?.password,
    imapPassword: input.imap?.password,
    refreshToken: input.oauth?.refreshToken,
  }
  const ownLogin = input.provider === 'smtp' || input.provider === 'sandbox' || input.oauth !== undefined
  const connected = ownLogin || context.tenantConnectionId !== null
  return {
    settings,
    secrets,
    status: connected ? ('active' as const) : ('auth_required' as const),
    statusReason: connected ? null : 'oauth_required',
  }
}

/**
 * Merges an update into the stored sender, or throws 400. `secrets` keeps those that are not in the request. Source:
 * docs/contract.md, "Conventions" and "Sending accounts".
 */
export function changedSender(current: Sender, secrets: SenderSecrets, input: UpdateSendingAccountInput, now: Date) {
  const smtp = mergeServer(current.smtp, input.smtp)
  const imap = mergeServer(current.imap, input.imap)
  const merged = {
    dailyLimit: input.dailyLimit ?? current.dailyLimit,
    reservedPerDay: input.reservedPerDay ?? current.reservedPerDay,
    minGapSeconds: input.minGapSeconds ?? current.minGapSeconds,
    maxGapSeconds: input.maxGapSeconds ?? current.maxGapSeconds,
  }
  const rampUp = mergeRampUp(current.rampUp, input.rampUp)
  const nextSecrets = changedSecrets(secrets, input, imap !== null)
  const issues = [
    ...gapIssues(merged),
    ...reservedIssues(merged),
    ...signatureIssues(input.signature),
    ...changedServerIssues(current, input, { smtp, imap }, nextSecrets),
    ...rampIssues(rampUp),
  ]
  const email = input.email ?? current.email
  const servers = {
    smtp: smtp === null ? null : toSmtp(smtp, current.email),
    imap: imap === null ? null : toImap(imap, current.email),
  }
  const sent = { smtp: input.smtp?.password !== undefined, imap: input.imap?.password !== undefined }
  if (current.provider === 'smtp')
    issues.push(...passwordIssues(current, { email, ...servers }, { stored: secrets, sent }))
  if (issues.length > 0) throw invalid(...issues)
  const ramp = rampUp as RampUp | null
  const settings: SenderSettings = {
    email,
    fromName: input.fromName ?? current.fromName,
    ...servers,
    ...merged,
    timezone: input.timezone ?? current.timezone,
    signature: input.signature === undefined ? current.signature : input.signature,
    replyTo: input.replyTo === undefined ? current.replyTo : input.replyTo,
    trackingDomain:
      input.trackingDomain === undefined ? current.trackingDomain : (input.trackingDomain?.toLowerCase() ?? null),
    rampUp: ramp,
    rampStartedAt: !ramp?.enabled ? null : current.rampUp?.enabled ? (current.rampStartedAt ?? now) : now,
    ignoreMail: input.ignoreMail ?? current.ignoreMail,
    requireAuthentication: input.requireAuthentication ?? current.requireAuthentication,
  }
  return {
    settings: { ...settings, pace: changedPace(current, settings, now) },
    secrets: nextSecrets,
    reconnects: describeConnection(current, secrets) !== describeConnection(settings, nextSecrets),
  }
}

function changedSecrets(current: SenderSecrets, input: UpdateSendingAccountInput, hasImap: boolean): SenderSecrets {
  const next = { ...current }
  if (input.smtp?.password !== undefined) next.smtpPassword = input.smtp.password
  if (input.imap?.password !== undefined) next.imapPassword = input.imap.password
  if (!hasImap) delete next.imapPassword
  if (input.oauth === undefined) return next
  next.refreshToken = input.oauth.refreshToken
  // The access token belongs to the earlier refresh token.
  delete next.accessToken
  return next
}

/** All fields that define how to connect as a sender, as text for a comparison. */
function describeConnection({ smtp, imap }: Pick<SenderSettings, 'smtp' | 'imap'>, secrets: SenderSecrets): string {
  const { smtpPassword, imapPassword, refreshToken } = secrets
  return JSON.stringify([serverParts(smtp), serverParts(imap), smtpPassword, imapPassword, refreshToken])
}

function serverParts(server: SmtpServer | null): unknown {
  return server && [server.host, server.port, server.security, server.username]
}

/** The first read of a mailbox covers this period, but starts at most a day before its sender was made. */
export const firstReadingMs = 7 * dayMs
const retryFirstMs = 10_000
const retryMaxMs = 15 * minuteMs
/** The wait before a failed mailbox is tried again: 10 s growing to 15 min. Source: docs/contract.md, "Sending accounts". */
export function retryWaitMs(tried: number): number {
  return Math.min(retryFirstMs * 2 ** Math.min(tried, 10), retryMaxMs)
}

const holdFirstMs = hourMs
const holdMaxMs = dayMs
/**
 * How long a provider's own limit holds a mailbox: an hour, doubling to a day. Source:
 * docs/delivery.md, "Retries, bounces, breakers".
 */
export function holdWaitMs(holds: number): number {
  return Math.min(holdFirstMs * 2 ** Math.min(holds, 10), holdMaxMs)
}

function providerIssues(input: CreateSendingAccountInput, environment: Environment): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const own = input.provider === 'smtp'
  if (input.provider === 'sandbox' && environment !== 'test') {
    issues.push({
      path: 'provider',
      rule: 'environment',
      message: 'The provider sandbox is available only in the test environment.',
    })
  }
  if (own && !input.smtp) issues.push({ path: 'smtp', rule: 'required', message: 'Provider smtp needs a server.' })
  for (const name of ['smtp', 'imap'] as const) {
    if (!own && input[name])
      issues.push({ path: name, rule: 'provider', message: `Leave this out for provider ${input.provider}.` })
    if (own && input[name])
      issues.push(
        ...credentialIssues(
          name,
          input[name],
          input[name].password !== undefined || (name === 'imap' && input.smtp?.password !== undefined),
        ),
      )
  }
  if (input.oauth && input.provider !== 'google' && input.provider !== 'microsoft') {
    issues.push({ path: 'oauth', rule: 'provider', message: 'Only google and microsoft accept a token.' })
  }
  return issues
}
