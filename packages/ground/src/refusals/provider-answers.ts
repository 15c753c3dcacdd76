import { anyOf } from '../text/patterns.ts'

/** Why a provider refuses a message because of the sender. */
export type FaultReason = 'quota' | 'blocked' | 'authentication' | 'login' | 'mailbox' | 'tenant-limit' | 'connections'

/**
 * The action on the sending account. `hold`: wait, then try again. `block`: a person must act. `sign_in`: the login is
 * refused. `retry`: wait a minute and use fewer connections.
 */
export type FaultAction = 'hold' | 'block' | 'sign_in' | 'retry'

/** A row matches if every condition that it has matches. */
export interface ProviderAnswer {
  provider: 'microsoft' | 'google' | 'any'
  codes?: readonly number[]
  /** Enhanced status codes (RFC 3463). */
  statuses?: readonly string[]
  words?: RegExp
  /** The words can also describe a recipient, so the row is skipped for a text about the recipient's mailbox. */
  ambiguous?: boolean
  reason: FaultReason
  action: FaultAction
  /** `tenant`: the limit is shared by all mailboxes of the customer. */
  scope: 'account' | 'tenant'
  /** One sentence for the owner of the sending account. */
  advice: string
}

const waitAdvice = "Wait until the provider's limit resets, and lower the daily limit of this sending account."
const sendAsAdvice =
  'This login may not send from this address. Ask your administrator for the right to send as this address.'
const passwordAdvice = 'Microsoft no longer accepts the password. Connect this mailbox by OAuth.'

/**
 * The answers of Microsoft 365 and Google that are the sender's fault. The first matching row counts. Sources:
 * https://learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online (NDR codes),
 * https://learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits
 * https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/authenticated-client-smtp-submission
 * https://support.google.com/a/answer/3726730 (SMTP error reference) and https://support.google.com/a/answer/166852 (limits).
 */
export const providerAnswers: readonly ProviderAnswer[] = [
  {
    provider: 'microsoft',
    words: anyOf(
      [
        'ShutoffQuotaExceeded',
        /mailbox full\b.{0,200}STOREDRV\.Submission/,
        /STOREDRV\.Submission\b.{0,200}\bmailbox full/,
      ],
      'i',
    ),
    reason: 'mailbox',
    action: 'block',
    scope: 'account',
    advice:
      'The mailbox of this sending account is full. Delete or archive mail in it, then verify the sending account.',
  },
  {
    provider: 'microsoft',
    words: /SubmissionQuotaExceeded/i,
    reason: 'quota',
    action: 'hold',
    scope: 'account',
    advice: waitAdvice,
  },
  {
    provider: 'microsoft',
    words: /\bSendAsDenied|\bnot allowed to send as <?[^\s@<>]{1,100}@/i,
    reason: 'blocked',
    action: 'block',
    scope: 'account',
    advice: sendAsAdvice,
  },
  {
    provider: 'microsoft',
    statuses: ['5.2.252', '5.7.60'],
    reason: 'blocked',
    action: 'block',
    scope: 'account',
    advice: sendAsAdvice,
  },
  {
    provider: 'microsoft',
    statuses: ['5.1.90'],
    reason: 'quota',
    action: 'hold',
    scope: 'account',
    advice: waitAdvice,
  },
  {
    provider: 'microsoft',
    statuses: ['5.7.232', '5.7.233'],
    reason: 'tenant-limit',
    action: 'hold',
    scope: 'tenant',
    advice:
      'Your organization reached its daily limit of external recipients. Send less from all its mailboxes, or add licences.',
  },
  {
    provider: 'microsoft',
    statuses: ['5.7.236'],
    reason: 'tenant-limit',
    action: 'hold',
    scope: 'tenant',
    advice: 'Mail from onmicrosoft.com reaches 100 external recipients a day. Send from your own domain.',
  },
  {
    provider: 'microsoft',
    words: /\bbad outbound sender\b/i,
    reason: 'blocked',
    action: 'block',
    scope: 'account',
    advice:
      'Microsoft restricts this user. Ask an administrator to remove the user from "Restricted entities" in Defender.',
  },
  {
    provider: 'microsoft',
    statuses: ['5.7.705', '5.7.708', '5.7.750'],
    reason: 'blocked',
    action: 'block',
    scope: 'tenant',
    advice: 'Microsoft blocks mail of your whole organization. Ask an administrator to contact Microsoft support.',
  },
  {
    provider: 'microsoft',
    words: /\b(?:concurrent connections?|sender thread) limit exceeded\b/i,
    reason: 'connections',
    action: 'retry',
    scope: 'account',
    advice: 'Another program uses this mailbox at the same time. Overture tries again with fewer connections.',
  },
  {
    provider: 'microsoft',
    words: /\bSmtpClientAuthentication is disabled\b/i,
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice:
      'SMTP AUTH is off. Ask an administrator to turn on "Authenticated SMTP" for the mailbox and the organization.',
  },
  {
    provider: 'microsoft',
    words: /\bbasic authentication is not supported\b/i,
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice: passwordAdvice,
  },
  {
    provider: 'microsoft',
    statuses: ['5.7.30'],
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice: passwordAdvice,
  },
  {
    provider: 'microsoft',
    statuses: ['5.7.139'],
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice:
      'Microsoft refused the login. Check the sign-in rules of your organization, or connect this mailbox by OAuth.',
  },
  {
    provider: 'microsoft',
    codes: [530],
    statuses: ['5.7.57'],
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice: 'The server requires a login. Check user name and password, or connect this mailbox by OAuth.',
  },
  {
    provider: 'google',
    codes: [534],
    statuses: ['5.7.9', '5.7.14'],
    reason: 'login',
    action: 'sign_in',
    scope: 'account',
    advice: 'Google asks for an app password or a login in the browser. Connect this mailbox by OAuth.',
  },
  {
    provider: 'any',
    statuses: ['5.7.515', '5.7.509', '5.7.26', '4.7.26'],
    reason: 'authentication',
    action: 'hold',
    scope: 'account',
    advice:
      'The domain of this sending account fails SPF, DKIM or DMARC. Check its records under "Health" and correct them.',
  },
  {
    provider: 'google',
    words: /\bdaily smtp relay (?:sending )?(?:limit|quota) exceeded\b|\bsmtp relay limit exceeded for customer\b/i,
    reason: 'tenant-limit',
    action: 'hold',
    scope: 'tenant',
    advice: 'Your organization reached the daily limit of the Google SMTP relay. Send less from all its mailboxes.',
  },
  {
    provider: 'google',
    words: anyOf(
      [
        /\bdaily (?:user )?sending (?:limit|quota) (?:is |was |has been )?exceeded\b/,
        /\byou(?:'|’| ha)?ve (?:reached|exceeded) (?:a|the|your) (?:\w+ ){0,2}(?:limit|quota) for sending (?:e-?)?(?:mail|messages)\b/,
        /\b(?:reached|exceeded) (?:a|the|your) (?:\w+ ){0,2}(?:message )?(?:sending|submission) (?:limit|quota)\b/,
      ],
      'i',
    ),
    ambiguous: true,
    reason: 'quota',
    action: 'hold',
    scope: 'account',
    advice: waitAdvice,
  },
  {
    provider: 'google',
    statuses: ['5.4.5'],
    words: /\b(?:daily|sending|user)\b[^.]{0,40}\b(?:limit|quota)\b/i,
    ambiguous: true,
    reason: 'quota',
    action: 'hold',
    scope: 'account',
    advice: waitAdvice,
  },
  {
    provider: 'google',
    statuses: ['4.7.28', '5.7.28'],
    words: /\bunusual rate\b/i,
    reason: 'quota',
    action: 'hold',
    scope: 'account',
    advice:
      'Gmail sees an unusual rate of mail from this domain or server. Send less, and check complaints and DNS records.',
  },
]
