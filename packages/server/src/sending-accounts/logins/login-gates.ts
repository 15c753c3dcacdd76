import type { VerifyGate } from '@overture/contract/sending-accounts/sending-accounts.ts'

interface KnownRefusal {
  side: 'smtp' | 'imap' | 'token'
  words: RegExp
  gate: VerifyGate
  advice: string
  /** Present if the text has this meaning only for a login of this kind. */
  login?: LoginKind
}

/** `application` is the token of a whole organization. */
export type LoginKind = 'password' | 'token' | 'application'

/** A closed gate and the advice on how to open it. */
interface ClosedGate {
  gate: VerifyGate
  advice: string
}

const convert = 'Connect the mailbox with Microsoft instead of a password.'
const consentAgain = 'Connect the mailbox again. If that does not help, ask your administrator to consent.'
const grantApplication =
  'Ask your Microsoft 365 administrator to consent to SMTP.SendAsApp and IMAP.AccessAsApp of the application and to run ' +
  'Add-MailboxPermission for this mailbox.'
const conditionalAccess =
  'Ask your Microsoft 365 administrator to turn security defaults off or to let this application pass conditional access.'
const appPassword = 'Create an app password in the Google account and use it here, or connect the mailbox with Google.'
const webLogin = 'Sign in to the mailbox in a browser once, then check again.'
const imapAtGoogle = 'Ask your Google Workspace administrator to turn IMAP on for the domain.'
const imapOfUser = 'Turn IMAP on in the settings of Gmail, under “Forwarding and POP/IMAP”.'
const imapAtMicrosoft =
  'Ask your Microsoft 365 administrator to run Set-CASMailbox -Identity <address> -ImapEnabled $true.'
const smtpOfMailbox =
  'Ask your Microsoft 365 administrator to run Set-CASMailbox -Identity <address> -SmtpClientAuthenticationDisabled $false.'
const smtpOfTenant =
  'Ask your Microsoft 365 administrator to run Set-TransportConfig -SmtpClientAuthenticationDisabled $false.'

/**
 * The texts of servers that refuse a login, from more to less specific. The test contains an example of each; sources are in
 * `packages/testing/src/mail/login-words.ts`. No pattern repeats within a repetition.
 */
const known: readonly KnownRefusal[] = [
  { side: 'smtp', words: /is disabled for the Tenant/i, gate: 'tenant_smtp_auth', advice: smtpOfTenant },
  { side: 'smtp', words: /is disabled for the Mailbox/i, gate: 'mailbox_smtp_auth', advice: smtpOfMailbox },
  { side: 'smtp', words: /security defaults policy/i, gate: 'security_defaults', advice: conditionalAccess },
  {
    side: 'smtp',
    words: /did not meet the criteria to be auth/i,
    gate: 'security_defaults',
    advice: conditionalAccess,
  },
  {
    side: 'smtp',
    words: /5\.7\.30\b|basic authentication is (?:disabled|not)/i,
    gate: 'password_login',
    advice: convert,
  },
  { side: 'smtp', words: /535 5\.7\.3 Auth/i, gate: 'consent', advice: consentAgain, login: 'token' },
  { side: 'smtp', words: /535 5\.7\.3 Auth/i, gate: 'consent', advice: grantApplication, login: 'application' },
  {
    side: 'smtp',
    words: /5\.7\.9\b.*application-specific password/is,
    gate: 'app_password',
    advice: appPassword,
  },
  {
    side: 'smtp',
    words: /5\.7\.14\b/,
    gate: 'web_login',
    advice: webLogin,
  },
  { side: 'imap', words: /IMAP access is disabled for your domain/i, gate: 'imap_disabled', advice: imapAtGoogle },
  { side: 'imap', words: /not enabled for IMAP use/i, gate: 'imap_disabled', advice: imapOfUser },
  { side: 'imap', words: /authenticated but not connected/i, gate: 'imap_disabled', advice: imapAtMicrosoft },
  { side: 'imap', words: /^AUTHENTICATE failed/i, gate: 'consent', advice: consentAgain, login: 'token' },
  { side: 'imap', words: /^AUTHENTICATE failed/i, gate: 'consent', advice: grantApplication, login: 'application' },
  { side: 'imap', words: /^LOGIN failed/i, gate: 'password_login', advice: convert, login: 'password' },
  {
    side: 'imap',
    words: /application-specific password/i,
    gate: 'app_password',
    advice: appPassword,
  },
  {
    side: 'imap',
    words: /web login required|log in via your web browser/i,
    gate: 'web_login',
    advice: webLogin,
  },
  { side: 'token', words: /AADSTS(?:65001|65004|90093|90094|900941|90095|50105)\b/, gate: 'consent', advice: '' },
  { side: 'token', words: /AADSTS(?:53000|53003|50076|50079)\b/, gate: 'security_defaults', advice: '' },
  { side: 'token', words: /AADSTS(?:700016|7000229)\b/, gate: 'consent', advice: '', login: 'application' },
  { side: 'token', words: /^unauthorized_client/, gate: 'consent', advice: '', login: 'application' },
  { side: 'token', words: /admin_policy_enforced|access_denied/, gate: 'consent', advice: '' },
]

/** Returns the closed gate that a server's text names, or null. */
export function closedGate(side: KnownRefusal['side'], words: string, login: LoginKind): ClosedGate | null {
  const found = known.find(
    (one) => one.side === side && (one.login === undefined || one.login === login) && one.words.test(words),
  )
  return found === undefined ? null : { gate: found.gate, advice: found.advice }
}
