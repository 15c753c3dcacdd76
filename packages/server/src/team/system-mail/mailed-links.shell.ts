import { recordAct } from '../../platform/audit/acts.commands.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { system } from '../../platform/events/actors.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import { newPasswordLink } from '../invitations.shell.ts'
import { insertLinkOnce, type LinkRow } from '../links.sql.ts'
import { newToken } from '../session.commands.ts'
import type { UserRow } from '../user.ts'
import { listUsersOfEmailAcrossAccounts } from '../users.sql.ts'

export const mailLinkKind = 'team.mail_link'
export const resetPasswordKind = 'team.reset_password'
const accountsMax = 10
const resetContext = 'password reset'

/** The context with which a link is sealed until it is mailed, so that a reader of the jobs table can't use it. */
export function sealedContext(linkId: string): string {
  return `mailed link ${linkId}`
}

/** Call it in the transaction that makes the link. The link is mailed once, after the commit. */
export async function mailLink(
  { secrets, config }: Pick<App, 'secrets' | 'config'>,
  tx: Transaction,
  { link, url, now }: { link: Pick<LinkRow, 'accountId' | 'id'>; url: string; now: Date },
): Promise<boolean> {
  if (config.systemMail === null) return false
  const sealed = secrets.encrypt(url, sealedContext(link.id)).toString('base64')
  await enqueueJob(tx, {
    kind: mailLinkKind,
    tenant: { accountId: link.accountId, environment: 'live' },
    clock: 'real',
    runAt: now,
    key: link.id,
    payload: { linkId: link.id, sealed },
  })
  return true
}

/** Makes and mails a link for each account in which a user has this address and a password. A repeated call has no effect. */
export async function mailPasswordLinks(
  app: App,
  tx: Transaction,
  { email, requestId, now }: { email: string; requestId: string; now: Date },
): Promise<void> {
  for (const user of await listUsersOfEmailAcrossAccounts(tx, email, accountsMax)) {
    const token = newToken()
    const link = { ...newPasswordLink(user, now), id: `inv_${requestId}` }
    if (!(await insertLinkOnce(tx, link, token.digest))) continue
    await mailLink(app, tx, { link, url: `${app.config.publicUrl}/app/password#${token.text}`, now })
    await recordRequest(tx, user, now)
  }
}

async function recordRequest(tx: Transaction, { accountId, id }: UserRow, now: Date): Promise<void> {
  const target = { type: 'users', id }
  await recordAct(tx, { accountId, environment: null, actor: system, action: 'requestPasswordReset', target }, now)
}

/** An id for one request, by which repeated runs of its job have the same effect. */
export function newResetRequest(): string {
  return newId('inv').slice('inv_'.length)
}

/** Seals the address in a request for a password, so that a reader of the jobs table does not learn it. */
export function sealReset({ secrets }: Pick<App, 'secrets'>, email: string): string {
  return secrets.encrypt(email, resetContext).toString('base64')
}

export function openReset({ secrets }: Pick<App, 'secrets'>, sealed: string): string {
  return secrets.decrypt(Buffer.from(sealed, 'base64'), resetContext)
}
