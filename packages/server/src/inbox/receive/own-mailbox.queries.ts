import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { IgnoredMail } from '@overture/contract/sending-accounts/ignored-mail.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listSenders } from '../../sending-accounts/index.ts'
import { findImapHost } from './proof.ts'

export interface OwnMailbox {
  /** The normalised addresses of all sending accounts. */
  senders: ReadonlySet<string>
  /** The normalised address of the mailbox. */
  mailbox: string
  imapHost: string | null
  ignoreMail: readonly IgnoredMail[]
}

/** The facts about the mailbox that received a mail and about the account's other mailboxes. */
export async function findOwnMailbox(tx: Executor, tenant: Tenant, sendingAccountId: string): Promise<OwnMailbox> {
  const senders = await listSenders(tx, tenant)
  const sender = senders.find(({ id }) => id === sendingAccountId)
  return {
    senders: new Set(senders.map(({ email }) => normalizeEmail(email).email)),
    mailbox: normalizeEmail(sender?.email ?? '').email,
    imapHost: sender === undefined ? null : findImapHost(sender),
    ignoreMail: sender?.ignoreMail ?? [],
  }
}
