import type { VerifyCheck } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../../platform/app.ts'
import { imapFailure } from '../../platform/mail/imap-failure.client.ts'
import { openMailbox, type MailboxSession } from '../../platform/mail/imap-session.client.ts'
import { openSmtpSession } from '../../platform/mail/smtp-session.client.ts'
import { imapOptions, smtpOptions, type ReadyCredentials } from './mail-login.client.ts'
import { closedGate, type LoginKind } from './login-gates.ts'
import { isForOperator, splitAdvice } from './provider-refusals.ts'

export interface Verification {
  checks: VerifyCheck[]
  /** The failure to store for the sender; null if it works. */
  failure: { status: 'connection_error' | 'auth_required'; error: string } | null
}

const defaultSentFolder = 'Sent'
const messageLengthMax = 500
// The stored error has a limited length, so the server's text is cut to leave space for the advice.
const wordsLengthMax = 280

/** Connects and logs in to both servers at once. Must not run inside a transaction. */
export async function verifyCredentials(app: App, credentials: ReadyCredentials): Promise<Verification> {
  const [smtp, imap] = await Promise.all([verifySmtp(app, credentials), verifyImap(app, credentials)])
  return { checks: [...smtp.checks, ...imap.checks], failure: worse(smtp.failure, imap.failure) }
}

/** Reports a login that was not tried because the provider gave no token. */
export function tokenRefused(
  error: string,
  status: 'connection_error' | 'auth_required',
  login: LoginKind,
): Verification {
  const { words, advice } = splitAdvice(error)
  const gate = isForOperator(error) ? 'installation' : (closedGate('token', words, login)?.gate ?? null)
  return { checks: [check('smtp_auth', false, words, { gate, advice })], failure: { status, error } }
}

async function verifySmtp(app: App, credentials: ReadyCredentials): Promise<Verification> {
  const opened = await openSmtpSession(smtpOptions(app, credentials))
  if (opened.kind === 'open') {
    await opened.session.close()
    const login = credentials.smtp.auth === null ? 'No login is set.' : 'Logged in.'
    return { checks: [check('smtp_connect', true, 'Connected.'), check('smtp_auth', true, login)], failure: null }
  }
  const message = opened.kind === 'refused' ? opened.answer : opened.message
  if (opened.stage !== 'auth') {
    return {
      checks: [check('smtp_connect', false, message)],
      failure: { status: 'connection_error', error: `SMTP: ${message}` },
    }
  }
  const refused = opened.kind === 'refused' && opened.code >= 500
  const closed = closedGate(
    'smtp',
    message,
    loginKind(credentials.application === true, credentials.smtp.auth?.kind === 'xoauth2'),
  )
  return {
    checks: [check('smtp_connect', true, 'Connected.'), check('smtp_auth', false, message, closed)],
    failure: { status: refused ? 'auth_required' : 'connection_error', error: withAdvice('SMTP', message, closed) },
  }
}

async function verifyImap(app: App, credentials: ReadyCredentials): Promise<Verification> {
  const options = imapOptions(app, credentials)
  if (options === null) return { checks: [], failure: null }
  const opened = await openMailbox(options)
  const login = loginKind(credentials.application === true, options.auth.kind === 'xoauth2')
  if (opened.kind === 'refused') {
    const closed = closedGate('imap', opened.message, login)
    return {
      checks: [check('imap_connect', true, 'Connected.'), check('imap_auth', false, opened.message, closed)],
      failure: { status: 'auth_required', error: withAdvice('IMAP', opened.message, closed) },
    }
  }
  if (opened.kind === 'failed') {
    const closed = closedGate('imap', opened.message, login)
    return {
      checks: [check('imap_connect', false, opened.message, closed)],
      failure: {
        status: closed === null ? 'connection_error' : 'auth_required',
        error: withAdvice('IMAP', opened.message, closed),
      },
    }
  }
  const loggedIn = [check('imap_connect', true, 'Connected.'), check('imap_auth', true, 'Logged in.')]
  try {
    const sent = await checkSentFolder(opened.mailbox, credentials.imap?.sentFolder ?? null)
    return { checks: [...loggedIn, sent], failure: null }
  } catch (error) {
    const { message } = imapFailure(error, 'session')
    // Microsoft accepts the login to a mailbox without IMAP and then refuses each command.
    const closed = closedGate('imap', message, login)
    return {
      checks: [...loggedIn, check('imap_sent_folder', false, message, closed)],
      failure: closed === null ? null : { status: 'auth_required', error: withAdvice('IMAP', message, closed) },
    }
  } finally {
    await opened.mailbox.close()
  }
}

/** Checks the Sent folder. A mailbox without one gets one, as mail programs do, unless the owner named a folder that is missing. */
async function checkSentFolder(mailbox: MailboxSession, named: string | null): Promise<VerifyCheck> {
  const folders = await mailbox.listFolders()
  if (named !== null) {
    const there = folders.some((folder) => folder.path === named)
    return check('imap_sent_folder', there, there ? `Using ${named}.` : `There is no folder ${named}.`)
  }
  const sent = folders.find((folder) => folder.use === 'sent')
  if (sent !== undefined) return check('imap_sent_folder', true, `Using ${sent.path}.`)
  await mailbox.createFolder(defaultSentFolder)
  return check('imap_sent_folder', true, `There was no folder for sent mail. Created ${defaultSentFolder}.`)
}

export function simulatedChecks(isRead: boolean): VerifyCheck[] {
  const message = 'Simulated. The test environment connects to no mail server.'
  const smtp = [check('smtp_connect', true, message), check('smtp_auth', true, message)]
  if (!isRead) return smtp
  return [
    ...smtp,
    check('imap_connect', true, message),
    check('imap_auth', true, message),
    check('imap_sent_folder', true, message),
  ]
}

/** A refused login is worse than a failed connection, because waiting does not fix it. */
function worse(first: Verification['failure'], second: Verification['failure']): Verification['failure'] {
  return first?.status === 'auth_required' || second === null ? first : second
}

export function loginKind(application: boolean, token: boolean): LoginKind {
  if (application) return 'application'
  return token ? 'token' : 'password'
}

function withAdvice(side: 'SMTP' | 'IMAP', message: string, closed: { advice: string } | null): string {
  return closed === null ? `${side}: ${message}` : `${side}: ${foreignText(message, wordsLengthMax)} ${closed.advice}`
}

function check(
  name: VerifyCheck['name'],
  ok: boolean,
  message: string,
  closed: Pick<VerifyCheck, 'gate' | 'advice'> | null = null,
): VerifyCheck {
  const { gate, advice } = closed ?? { gate: null, advice: null }
  return { name, ok, message: foreignText(message, messageLengthMax), gate, advice }
}
