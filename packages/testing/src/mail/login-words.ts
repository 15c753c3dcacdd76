import { gmail, microsoft, type ProviderWords } from './provider-words.ts'

/**
 * Replies of Microsoft and Google that refuse a login. Sources: aka.ms/smtp_auth_disabled, simonrob/email-oauth2-proxy #193 and #299,
 * rpremraj/mailR #107, MicrosoftDocs/OfficeDocs-Exchange #3124; support.google.com/mail/answer/78754 and 7126229,
 * mozilla-b2g/gaia-email-libs-and-more (tests of logins at Gmail).
 */
export const smtpRefusals = {
  tenant:
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit ' +
    'https://aka.ms/smtp_auth_disabled for more information. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  mailbox:
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox. Visit ' +
    'https://aka.ms/smtp_auth_disabled for more information. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  securityDefaults:
    "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy. Contact your " +
    'administrator. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  conditionalAccess:
    '535 5.7.139 Authentication unsuccessful, the request did not meet the criteria to be authenticated successfully. Contact ' +
    'your administrator. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  basicOff:
    '535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  basicGone: '550 5.7.30 Basic authentication is not supported for Client Submission.',
  wrongPassword:
    '535 5.7.139 Authentication unsuccessful, the user credentials were incorrect. [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
  microsoft: microsoft.smtp.refused,
  gmail: gmail.smtp.refused,
  appPassword:
    '534-5.7.9 Application-specific password required. For more information, go to\r\n' +
    '534 5.7.9  https://support.google.com/mail/?p=InvalidSecondFactor ffacd0b85a97d-42 - gsmtp',
  webLogin:
    '534-5.7.14 <https://accounts.google.com/signin/continue?sarp=1> Please log in via your web\r\n' +
    '534 5.7.14 browser and then try again. ffacd0b85a97d-42 - gsmtp',
} as const

export const imapRefusals = {
  domainOff:
    'NO [ALERT] IMAP access is disabled for your domain. Please contact your domain administrator for questions about this ' +
    'feature. (Failure)',
  userOff:
    'NO [ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable your account for ' +
    'IMAP access. (Failure)',
  appPassword:
    'NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)',
  webLogin: 'NO [WEBALERT https://accounts.google.com/signin/continue?sarp=1] Web login required. (Failure)',
  gmail: gmail.imap.refused,
  microsoft: microsoft.imap.refused,
} as const

/** Microsoft's response to each command after a login to a mailbox without IMAP. */
export const notConnected = 'BAD User is authenticated but not connected.'

/** A copy of a provider's texts that a test may change between two logins. */
export function changeableWords(of: ProviderWords): ProviderWords {
  return structuredClone(of)
}
