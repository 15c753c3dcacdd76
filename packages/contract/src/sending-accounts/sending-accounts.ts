import { z } from 'zod'
import { tagIds } from '../tags/tags.ts'
import { domainName, email, id, namedObject, timestamp, timezone } from '../common.ts'
import { senderStatuses } from '../vocabularies.ts'
import { confirmation } from '../team/confirmation.ts'
import { healthSummary } from './domain-health.ts'
import { deliverability } from './deliverability.ts'
import { ignoredMail, ignoredMailMax } from './ignored-mail.ts'

export const senderProvider = z.enum(['smtp', 'google', 'microsoft', 'sandbox']).meta({ id: 'SendingAccountProvider' })
export type SenderProvider = z.infer<typeof senderProvider>
export const oauthProvider = z.enum(['google', 'microsoft']).meta({ id: 'OAuthProvider' })
export type OAuthProvider = z.infer<typeof oauthProvider>
export const mailSecurity = z.enum(['tls', 'starttls', 'none']).meta({ id: 'MailSecurity' })
export const senderStatus = z.enum(senderStatuses).meta({ id: 'SendingAccountStatus' })
export type SenderStatus = z.infer<typeof senderStatus>
export { senderActions, type SenderAction } from '../vocabularies.ts'

export const dailyLimitMax = 1_000_000
export const gapSecondsMax = 86_400
export const defaultDailyLimit = 50
export const defaultGapSeconds = { min: 60, max: 180 }

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u
const line = (max: number) =>
  z.string().trim().min(1).max(max).regex(oneLine, 'Must be one line without control characters.')
const letter = String.raw`A-Za-z0-9_\u0080-\uffff`
const label = `[${letter}](?:[${letter}-]{0,61}[${letter}])?`
const hostSyntax = new RegExp(String.raw`^(?:\[?[0-9A-Fa-f:.]+\]?|(?:${label}\.)*${label}\.?)$`, 'u')
const host = z.string().trim().min(1).max(253).regex(hostSyntax, 'Not a host name or address.')
const port = z.number().int().min(1).max(65_535)
const username = line(320)
const secret = z.string().min(1).max(4_000)

const server = namedObject('SmtpServer', {
  host: z.string(),
  port: z.number().int(),
  security: mailSecurity,
  username: z.string().nullable(),
})
export const smtpServer = server
export const imapServer = server.extend({ sentFolder: z.string().nullable() }).meta({ id: 'ImapServer' })
export type SmtpServer = z.infer<typeof smtpServer>
export type ImapServer = z.infer<typeof imapServer>

/** A server for reading, without the folder of sent mail. */
export const imapPlace = namedObject('ImapPlace', { ...server.shape, username: z.string() })
/** The same with its password. The username is the address, if it is missing. */
export const imapPlaceInput = namedObject('ImapPlaceInput', {
  host,
  port,
  security: mailSecurity.optional(),
  username: username.optional(),
  password: secret,
})

const rampFields = {
  enabled: z.boolean(),
  startPerDay: z.number().int().min(1).max(dailyLimitMax),
  incrementPerDay: z.number().int().min(0).max(dailyLimitMax),
}
const rampMode = z.enum(['fixed', 'adaptive']).meta({
  description:
    '`fixed` grows every day. `adaptive` grows after days on which half of the allowance was used, and slows down by evidence.',
})
const ceiling = z
  .number()
  .int()
  .min(1)
  .max(dailyLimitMax)
  .nullable()
  .meta({ description: 'Messages per day at most under an adaptive ramp. Null: the daily limit.' })

/** A ramp without a mode is fixed. */
export const rampUp = namedObject('RampUp', {
  ...rampFields,
  mode: rampMode.optional(),
  ceiling: ceiling.optional(),
})
export type RampUp = z.infer<typeof rampUp>

export const sendingAccount = namedObject('SendingAccount', {
  id: z.string(),
  email: z.string(),
  fromName: z.string(),
  provider: senderProvider,
  smtp: smtpServer.nullable(),
  imap: imapServer.nullable(),
  status: senderStatus,
  statusReason: z
    .string()
    .nullable()
    .meta({
      description:
        'The reason for the status, such as `user`, `login_refused`, `provider_limit`, `provider_blocked`, `bounce_rate` or ' +
        '`complaint_rate`; `bounce_rate_warning` for an active account that keeps sending although many messages bounce; ' +
        '`ask_operator` if the provider refuses the client secret of this installation, which only its operator can change.',
    }),
  statusAdvice: z.string().nullable().meta({
    description: 'How to fix `lastError`, in one or two sentences; null if the provider names no known reason.',
  }),
  lastError: z.string().nullable(),
  dailyLimit: z.number().int(),
  reservedPerDay: z.number().int().meta({
    description: 'Messages per day that another tool sends from this mailbox. They are subtracted from `dailyLimit`.',
  }),
  sentToday: z.number().int(),
  minGapSeconds: z.number().int(),
  maxGapSeconds: z.number().int(),
  timezone: z.string(),
  signature: z.string().nullable(),
  replyTo: z.string().nullable(),
  trackingDomain: z.string().nullable(),
  rampUp: rampUp.nullable(),
  ignoreMail: z.array(ignoredMail).meta({
    description:
      'Mail of another tool in this mailbox. It becomes `other`, without a conversation and without being counted.',
  }),
  health: healthSummary.nullable(),
  requireAuthentication: z.boolean().meta({
    description: 'Whether SPF or DMARC that was wrong for 72 hours pauses the account.',
  }),
  deliverability,
  tenantConnectionId: z.string().nullable().meta({
    description: 'The tenant connection through which the account logs in; null if it has its own login.',
  }),
  tagIds,
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type SendingAccount = z.infer<typeof sendingAccount>

const serverInput = {
  host,
  port,
  security: mailSecurity.optional(),
  username: username.nullable().optional(),
  password: secret.optional(),
}
/** The address of a server as an account accepts it. A discovered server must match it too. */
export const serverPlace = z.object({ host, port, security: mailSecurity, username })
const smtpInput = namedObject('SmtpServerInput', serverInput)
const imapInput = namedObject('ImapServerInput', { ...serverInput, sentFolder: line(500).nullable().optional() })
const oauthInput = z.strictObject({ refreshToken: secret })

const editable = {
  fromName: line(200).optional(),
  dailyLimit: z.number().int().min(1).max(dailyLimitMax).optional(),
  reservedPerDay: z.number().int().min(0).max(dailyLimitMax).optional(),
  ignoreMail: z.array(ignoredMail).max(ignoredMailMax).optional(),
  requireAuthentication: z.boolean().optional(),
  minGapSeconds: z.number().int().min(0).max(gapSecondsMax).optional(),
  maxGapSeconds: z.number().int().min(0).max(gapSecondsMax).optional(),
  timezone: timezone.optional(),
  signature: z.string().max(20_000).nullable().optional(),
  replyTo: email.nullable().optional(),
  trackingDomain: domainName.nullable().optional(),
  /** A token that the owner got elsewhere. Write-only, for `google` and `microsoft`. */
  oauth: oauthInput.optional(),
}

export const createSendingAccountInput = namedObject('CreateSendingAccountInput', {
  ...editable,
  email,
  provider: senderProvider.default('smtp'),
  smtp: smtpInput.nullable().optional(),
  imap: imapInput.nullable().optional(),
  rampUp: rampUp.nullable().optional(),
})
export type CreateSendingAccountInput = z.infer<typeof createSendingAccountInput>

export const updateSendingAccountInput = namedObject('UpdateSendingAccountInput', {
  ...editable,
  /** Required from a person who changes the password of the mailbox. */
  confirm: confirmation.optional(),
  email: email.optional(),
  smtp: smtpInput.partial().nullable().optional(),
  imap: imapInput.partial().nullable().optional(),
  rampUp: rampUp.partial().nullable().optional(),
  // Read-only: may be sent back unchanged (docs/contract.md, "Conventions").
  id: z.string().optional(),
  provider: z.string().optional(),
  status: z.string().optional(),
  statusReason: z.string().nullable().optional(),
  statusAdvice: z.string().nullable().optional(),
  lastError: z.string().nullable().optional(),
  sentToday: z.number().optional(),
  health: z.unknown().optional(),
  deliverability: z.unknown().optional(),
  tenantConnectionId: z.string().nullable().optional(),
  tagIds: z.array(z.string()).optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateSendingAccountInput = z.infer<typeof updateSendingAccountInput>
export const senderReadOnlyFields = [
  'id',
  'provider',
  'status',
  'statusReason',
  'statusAdvice',
  'lastError',
  'sentToday',
  'health',
  'deliverability',
  'tenantConnectionId',
  'tagIds',
  'createdAt',
  'updatedAt',
] as const

export const verifyCheckName = z.enum(['smtp_connect', 'smtp_auth', 'imap_connect', 'imap_auth', 'imap_sent_folder'])
/** The settings at a provider that can refuse a login. */
export const verifyGate = z
  .enum([
    'consent',
    'security_defaults',
    'tenant_smtp_auth',
    'mailbox_smtp_auth',
    'imap_disabled',
    'password_login',
    'app_password',
    'web_login',
    'installation',
  ])
  .meta({ id: 'VerifyGate' })
export type VerifyGate = z.infer<typeof verifyGate>
export const verifyCheck = namedObject('VerifyCheck', {
  name: verifyCheckName,
  ok: z.boolean(),
  message: z.string(),
  gate: verifyGate.nullable().meta({
    description:
      'The setting at the provider that rejects the login, if its response names it: `consent`, `security_defaults`, ' +
      '`tenant_smtp_auth` and `mailbox_smtp_auth` of Microsoft 365, `imap_disabled`, `password_login` (passwords are off), ' +
      '`app_password`, `web_login`, or `installation` (the client secret of this server).',
  }),
  advice: z.string().nullable().meta({ description: 'One sentence on how to fix it.' }),
})
export type VerifyCheck = z.infer<typeof verifyCheck>
export const verifyOutput = namedObject('Verification', { ok: z.boolean(), checks: z.array(verifyCheck) })

// A path within the console, in one spelling only, so that no browser reads it as another host or path.
const consolePath = z
  .string()
  .max(500)
  .regex(
    /^\/app\/[A-Za-z0-9_~-]+(?:\/[A-Za-z0-9_~-]+)*(?:\?[A-Za-z0-9_.~=&%-]*)?$/,
    'Must be a path below /app/, such as /app/live/sending-accounts.',
  )

export const authorizeInput = namedObject('AuthorizeSendingAccountInput', {
  provider: oauthProvider,
  email: email.optional(),
  fromName: line(200).optional(),
  /** The account to connect again, instead of creating a new one. */
  sendingAccountId: id.optional(),
  /** The page of the console that the owner's browser opens after the mailbox is connected. Without it, a page that says so. */
  returnPath: consolePath.optional(),
})

export const convertInput = namedObject('ConvertSendingAccountInput', {
  /** Optional if the servers of the account belong to Google or Microsoft. */
  provider: oauthProvider.optional(),
  /** The page of the console that opens afterwards. */
  returnPath: consolePath.optional(),
})

export const discoverInput = namedObject('DiscoverSendingAccountInput', { email })

/** The source of a discovery: the MX records of the domain, its SRV records, its own configuration, our list, or ports that were open. */
export const discoverySource = z
  .enum(['mx', 'srv', 'autoconfig', 'known', 'probe', 'none'])
  .meta({ id: 'DiscoverySource' })
export type DiscoverySource = z.infer<typeof discoverySource>

export const foundServer = namedObject('FoundServer', {
  host: z.string(),
  port: z.number().int(),
  security: mailSecurity,
  username: z.string(),
})
export type FoundServer = z.infer<typeof foundServer>

export const discovery = namedObject('SendingAccountDiscovery', {
  email: z.string(),
  provider: senderProvider,
  source: discoverySource,
  smtp: foundServer.nullable(),
  imap: foundServer.nullable(),
  /** Whether the mailbox can be connected without a password; `reason` says why not. */
  oauth: namedObject('OAuthAvailability', { available: z.boolean(), reason: z.string().nullable() }),
  /** Instructions for the owner before the mailbox is connected. */
  hint: z.string().nullable(),
})
export type Discovery = z.infer<typeof discovery>
