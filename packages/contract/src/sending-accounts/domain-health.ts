import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'

/** `warning` works but can be improved, `unknown` could not be looked up. */
export const healthStatus = z.enum(['pass', 'warning', 'missing', 'invalid', 'unknown']).meta({ id: 'HealthStatus' })
export const healthSummary = namedObject('HealthSummary', {
  spf: healthStatus,
  dkim: healthStatus,
  dmarc: healthStatus,
  mx: healthStatus,
  checkedAt: timestamp,
})
export type HealthSummary = z.infer<typeof healthSummary>

/** `put` is the record to write into DNS, if a change is needed. */
const dnsRecord = namedObject('DnsRecord', {
  type: z.enum(['TXT', 'CNAME', 'MX']),
  name: z.string(),
  value: z.string(),
})
export const healthCheck = namedObject('HealthCheck', {
  status: healthStatus,
  records: z.array(z.string()),
  message: z.string(),
  put: dnsRecord.nullable(),
})
export type HealthCheck = z.infer<typeof healthCheck>
/** Codes of warnings about the account itself, not about its domain. */
export const senderWarningCodes = [
  'password_login_ends',
  'onmicrosoft_domain',
  'client_secret_expires',
  'client_secret_refused',
  'login_unencrypted',
] as const
const senderWarning = namedObject('SendingAccountWarning', {
  code: z.enum(senderWarningCodes),
  message: z.string(),
})
export type SenderWarning = z.infer<typeof senderWarning>

export const healthReport = namedObject('HealthReport', {
  sendingAccountId: z.string(),
  domain: z.string(),
  spf: healthCheck,
  dkim: healthCheck,
  dmarc: healthCheck,
  mx: healthCheck,
  tracking: healthCheck.nullable(),
  warnings: z
    .array(senderWarning)
    .meta({ description: 'Reasons why the account may soon stop sending or why its mail may be treated as spam.' }),
  checkedAt: timestamp,
})
export type HealthReport = z.infer<typeof healthReport>
