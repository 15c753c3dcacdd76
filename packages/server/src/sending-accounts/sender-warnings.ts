import type { SenderWarning } from '@overture/contract/sending-accounts/domain-health.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { providerOfServers } from '@overture/contract/vocabularies.ts'
import type { Sender } from './sending-account.ts'

/**
 * From this moment Microsoft refuses passwords for SMTP unless an administrator allows them again. Source: Exchange Team Blog,
 * 27 January 2026.
 */
const passwordsEndAt = new Date('2027-01-01T00:00:00.000Z')
/** The warning about a client secret starts this long before it expires. */
const secretNoticeMs = 30 * dayMs

type JudgedSender = Pick<Sender, 'email' | 'provider' | 'smtp' | 'imap' | 'statusReason' | 'tenantConnectionId'>

/**
 * Returns reasons why an account may soon be unable to send or be untrusted. `secretExpiresOn` is the last day of our secret at
 * Microsoft.
 */
export function senderWarnings(
  sender: JudgedSender,
  { now, secretExpiresOn }: { now: Date; secretExpiresOn: string | null },
): SenderWarning[] {
  const warnings: SenderWarning[] = []
  const add = (code: SenderWarning['code'], message: string) => warnings.push({ code, message })
  if (sender.provider === 'smtp' && providerOfServers(sender) === 'microsoft')
    add('password_login_ends', passwordText(now))
  if (sendsPasswordInTheClear(sender)) {
    add(
      'login_unencrypted',
      'The password is sent over the network without encryption. Choose TLS or STARTTLS for the mail servers.',
    )
  }
  if (/(?:@|\.)onmicrosoft\.com$/i.test(sender.email)) {
    add(
      'onmicrosoft_domain',
      'Microsoft lets addresses of onmicrosoft.com write to 100 external recipients a day: send from your own domain.',
    )
  }
  if (sender.statusReason === 'ask_operator') {
    add(
      'client_secret_refused',
      "The provider rejects the client secret of this installation, so the account can't send. Ask your operator.",
    )
  }
  if (sender.provider === 'microsoft' && sender.tenantConnectionId === null && expiresSoon(secretExpiresOn, now)) {
    add(
      'client_secret_expires',
      `The client secret of this installation expires at Microsoft on ${secretExpiresOn}. Ask your operator for a new one.`,
    )
  }
  return warnings
}

/** A connection within one machine can't be intercepted on the network. */
const ownMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i

function sendsPasswordInTheClear({ smtp, imap }: JudgedSender): boolean {
  return [smtp, imap].some(
    (server) => server?.security === 'none' && server.username !== null && !ownMachine.test(server.host),
  )
}

/** Whether the secret has expired or expires within the notice period. */
export function expiresSoon(day: string | null, now: Date): boolean {
  return day !== null && new Date(`${day}T00:00:00.000Z`).getTime() - now.getTime() <= secretNoticeMs
}

function passwordText(now: Date): string {
  const what = 'Connect the mailbox with Microsoft instead. Its conversations and statistics are kept.'
  return now < passwordsEndAt
    ? `Microsoft refuses passwords for SMTP by default from the end of December 2026. ${what}`
    : `Since the end of December 2026 Microsoft rejects passwords for SMTP unless an administrator allows them. ${what}`
}
