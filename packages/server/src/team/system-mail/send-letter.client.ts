import MailComposer from 'nodemailer/lib/mail-composer'
import type { App } from '../../platform/app.ts'
import { defaultSmtpTimeoutsMs } from '../../platform/mail/smtp-connect.client.ts'
import { openSmtpSession } from '../../platform/mail/smtp-session.client.ts'
import type { SystemMailConfig } from '../../platform/system-mail-config.ts'

interface Letter {
  to: string
  subject: string
  text: string
  html?: string
  messageId: string
  date: Date
}

/** `failed`: the letter was certainly not sent. `uncertain`: it may have been sent. */
type LetterResult = { kind: 'sent' } | { kind: 'failed' | 'uncertain'; reason: string }

/** The operator configures the server, which may have a private address. */
export async function sendLetter({ names }: App, server: SystemMailConfig, letter: Letter): Promise<LetterResult> {
  const { host, port, security, login, from } = server
  const opened = await openSmtpSession({
    host,
    port,
    security,
    auth: login === null ? null : { kind: 'password', ...login },
    timeoutsMs: defaultSmtpTimeoutsMs,
    reach: { names, accountId: null, allowPrivate: true },
  })
  if (opened.kind !== 'open')
    return { kind: 'failed', reason: opened.kind === 'refused' ? opened.answer : opened.message }
  const { session } = opened
  const raw = await write(letter, from)
  const result = await session.send({ envelope: { from, to: [letter.to] }, raw, gate: () => Promise.resolve(true) })
  await session.close()
  switch (result.kind) {
    case 'accepted':
      return { kind: 'sent' }
    case 'refused':
      return { kind: 'failed', reason: result.answer }
    case 'withheld':
      return { kind: 'failed', reason: 'withheld' }
    case 'dropped':
      return { kind: result.terminatorSent ? 'uncertain' : 'failed', reason: result.message }
  }
}

function write({ to, subject, text, html, messageId, date }: Letter, from: string): Promise<Buffer> {
  return new MailComposer({
    from: { name: 'Overture', address: from },
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    messageId: `<${messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date,
    // Prevents automatic replies such as out-of-office notes.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
