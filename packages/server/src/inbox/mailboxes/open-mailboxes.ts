import type { MailboxSession } from '../../platform/mail/imap-session.client.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface OpenInbox {
  session: MailboxSession
  /** The folder for copies of sent messages. Null if it is unknown. */
  sentFolder: string | null
}

/** The mailboxes in which this process idles. Copies can be stored over their connections without another login. */
export class OpenMailboxes {
  readonly #open = new Map<string, OpenInbox>()

  /** Returns a function that removes the mailbox. It must be called before the session is closed. */
  add(tenant: Tenant, sendingAccountId: string, inbox: OpenInbox): () => void {
    const key = mailboxKey(tenant, sendingAccountId)
    this.#open.set(key, inbox)
    return () => {
      if (this.#open.get(key) === inbox) this.#open.delete(key)
    }
  }

  find(tenant: Tenant, sendingAccountId: string): OpenInbox | null {
    const inbox = this.#open.get(mailboxKey(tenant, sendingAccountId))
    return inbox?.session.usable === true ? inbox : null
  }
}

function mailboxKey({ accountId, environment }: Tenant, sendingAccountId: string): string {
  return `${accountId} ${environment} ${sendingAccountId}`
}
