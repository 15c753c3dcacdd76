import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/job.ts'
import { findLinkToMail, updateLinkMailed, updateLinkNotMailed } from '../links.sql.ts'
import type { ProtectionNotice } from '../../platform/http/route.ts'
import { findUser } from '../users.sql.ts'
import { writeLetter, noticeLetter } from './letters.ts'
import { mailNoticeKind } from '../sign-in-audit.commands.ts'
import { mailLinkKind, mailPasswordLinks, openReset, resetPasswordKind, sealedContext } from './mailed-links.shell.ts'
import { sendLetter } from './send-letter.client.ts'

const attemptsMax = 8

/** Jobs for mail of the installation to its own users. */
export function systemMailJobs(): JobHandler[] {
  return [
    {
      kind: mailLinkKind,
      maxAttempts: attemptsMax,
      lane: 'mail',
      run: ({ app, tenant }, { linkId, sealed }) =>
        mail(app, tenant.accountId, { linkId: String(linkId), sealed: String(sealed) }),
    },
    {
      kind: mailNoticeKind,
      maxAttempts: attemptsMax,
      lane: 'mail',
      run: ({ app, tenant }, payload) => mailNotice(app, tenant.accountId, payload),
    },
    {
      kind: resetPasswordKind,
      maxAttempts: attemptsMax,
      run: async ({ app }, { requestId, sealed }) => {
        const email = openReset(app, String(sealed))
        const now = app.clock.now()
        await app.db.transaction((tx) => mailPasswordLinks(app, tx, { email, requestId: String(requestId), now }))
      },
    },
  ]
}

/** If the job of a sent notice runs again, the notice has the same Message-ID. */
async function mailNotice(app: App, accountId: string, payload: Record<string, unknown>): Promise<void> {
  const { config, db, log, clock } = app
  if (config.systemMail === null) return
  const { noticeId, userId, notice, at } = payload as Record<'noticeId' | 'userId' | 'at', string> & {
    notice: ProtectionNotice
  }
  const user = await findUser(db, accountId, userId)
  if (user === null) return
  const letter = noticeLetter({ notice, at, publicUrl: config.publicUrl })
  const result = await sendLetter(app, config.systemMail, {
    ...letter,
    to: user.email,
    messageId: noticeId,
    date: clock.now(),
  })
  if (result.kind === 'uncertain') log.warn({ event: 'system_mail.uncertain', noticeId })
  if (result.kind === 'failed') throw new Error(`A notice was not mailed: ${result.reason}`)
}

/**
 * The link is marked before its mail is sent, so a process that dies in between never sends it twice. If the mail was certainly
 * not sent, the mark is removed and the job retries. If it may have been sent, it is not retried.
 */
async function mail(
  app: App,
  accountId: string,
  { linkId, sealed }: { linkId: string; sealed: string },
): Promise<void> {
  const { db, config, log, secrets } = app
  if (config.systemMail === null) return
  const now = app.clock.now()
  const link = await db.transaction(async (tx) => {
    const found = await findLinkToMail(tx, accountId, { id: linkId, now })
    return found !== null && (await updateLinkMailed(tx, accountId, { id: linkId, now })) ? found : null
  })
  if (link === null || link.email === null) return
  const url = secrets.decrypt(Buffer.from(sealed, 'base64'), sealedContext(linkId))
  const letter = writeLetter({ kind: link.kind, url, publicUrl: config.publicUrl })
  const result = await sendLetter(app, config.systemMail, { ...letter, to: link.email, messageId: linkId, date: now })
  if (result.kind === 'sent') return
  if (result.kind === 'uncertain') {
    log.warn({ event: 'system_mail.uncertain', linkId })
    return
  }
  await updateLinkNotMailed(db, accountId, linkId)
  throw new Error(`A link was not mailed: ${result.reason}`)
}
