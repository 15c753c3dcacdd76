/** The responses of real mail servers to logins, so that a double never accepts what they refuse. */

export interface ProviderWords {
  /** Public pages that quote these responses. */
  sources: readonly string[]
  smtp: {
    greeting: string
    /** Lines of the reply to EHLO, without the code: before TLS and after it. */
    ehloPlain: readonly string[]
    ehloSecured: readonly string[]
    loggedIn: string
    /** The challenge (JSON in Base64) that the server sends before it refuses a token, or null if it refuses at once. */
    tokenChallenge: string | null
    refused: string
    accepted: string
  }
  imap: {
    greeting: string
    capabilities: readonly string[]
    tokenChallenge: string | null
    refused: string
    /** The response to each command after a login if IMAP is disabled for the mailbox. */
    closed?: string
  }
}

const gmailChallenge = Buffer.from('{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}').toString(
  'base64',
)

export const gmail: ProviderWords = {
  sources: [
    'https://developers.google.com/workspace/gmail/imap/xoauth2-protocol',
    'https://github.com/jstedfast/MailKit/issues/1276',
    'https://github.com/google/gmail-oauth2-tools/issues/78',
  ],
  smtp: {
    greeting: '220 smtp.gmail.com ESMTP ffacd0b85a97d-42 - gsmtp',
    ehloPlain: [
      'smtp.gmail.com at your service, [192.0.2.1]',
      'SIZE 35882577',
      '8BITMIME',
      'STARTTLS',
      'ENHANCEDSTATUSCODES',
      'PIPELINING',
      'CHUNKING',
      'SMTPUTF8',
    ],
    ehloSecured: [
      'smtp.gmail.com at your service, [192.0.2.1]',
      'SIZE 35882577',
      '8BITMIME',
      'AUTH LOGIN PLAIN XOAUTH2 PLAIN-CLIENTTOKEN OAUTHBEARER XOAUTH',
      'ENHANCEDSTATUSCODES',
      'PIPELINING',
      'CHUNKING',
      'SMTPUTF8',
    ],
    loggedIn: '235 2.7.0 Accepted',
    tokenChallenge: gmailChallenge,
    refused:
      '535-5.7.8 Username and Password not accepted. For more information, go to\r\n' +
      '535 5.7.8  https://support.google.com/mail/?p=BadCredentials ffacd0b85a97d-42 - gsmtp',
    accepted: '250 2.0.0 OK  1795600000 ffacd0b85a97d-42 - gsmtp',
  },
  imap: {
    greeting: '* OK Gimap ready for requests from 192.0.2.1 42mb',
    capabilities: [
      'IMAP4rev1',
      'UNSELECT',
      'IDLE',
      'NAMESPACE',
      'QUOTA',
      'ID',
      'XLIST',
      'CHILDREN',
      'X-GM-EXT-1',
      'XYZZY',
      'SASL-IR',
      'AUTH=XOAUTH2',
      'AUTH=PLAIN',
      'AUTH=PLAIN-CLIENTTOKEN',
      'AUTH=OAUTHBEARER',
      'AUTH=XOAUTH',
    ],
    tokenChallenge: gmailChallenge,
    refused: 'NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)',
  },
}

export const microsoft: ProviderWords = {
  sources: [
    'https://learn.microsoft.com/exchange/client-developer/legacy-protocols/' +
      'how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth',
    'https://github.com/simonrob/email-oauth2-proxy/issues/68',
    'https://github.com/jstedfast/MailKit/issues/460',
  ],
  smtp: {
    greeting:
      '220 ZR2P278CA0019.outlook.office365.com Microsoft ESMTP MAIL Service ready at Mon, 23 Nov 2026 16:23:28 +0000',
    ehloPlain: [
      'ZR2P278CA0019.outlook.office365.com Hello [192.0.2.1]',
      'SIZE 157286400',
      'PIPELINING',
      'DSN',
      'ENHANCEDSTATUSCODES',
      'STARTTLS',
      '8BITMIME',
      'BINARYMIME',
      'CHUNKING',
      'SMTPUTF8',
    ],
    ehloSecured: [
      'ZR2P278CA0019.outlook.office365.com Hello [192.0.2.1]',
      'SIZE 157286400',
      'PIPELINING',
      'DSN',
      'ENHANCEDSTATUSCODES',
      'AUTH LOGIN XOAUTH2',
      '8BITMIME',
      'BINARYMIME',
      'CHUNKING',
      'SMTPUTF8',
    ],
    loggedIn: '235 2.7.0 Authentication successful',
    tokenChallenge: null,
    refused: '535 5.7.3 Authentication unsuccessful [ZR2P278CA0019.CHEP278.PROD.OUTLOOK.COM]',
    accepted:
      '250 2.0.0 OK <ZR2P278MB0123456789ABCDEF@ZR2P278MB0123.CHEP278.PROD.OUTLOOK.COM> [Hostname=ZR2P278MB0123.CHEP278.PROD.OUTLOOK.COM]',
  },
  imap: {
    greeting: '* OK The Microsoft Exchange IMAP4 service is ready. [WgBSADIAUAAyADcAOABDAEEAMAAwADEAOQA=]',
    capabilities: [
      'IMAP4',
      'IMAP4rev1',
      'AUTH=PLAIN',
      'AUTH=XOAUTH2',
      'SASL-IR',
      'UIDPLUS',
      'ID',
      'UNSELECT',
      'CHILDREN',
      'IDLE',
      'NAMESPACE',
      'LITERAL+',
    ],
    tokenChallenge: null,
    refused: 'NO AUTHENTICATE failed.',
  },
}
