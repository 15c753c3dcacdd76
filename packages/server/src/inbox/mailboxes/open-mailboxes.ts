import type { MailboxSession } from '../../platform/mail/imap-session.client.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface OpenInbox {
  session: MailboxSession
  /** Where copies of what was sent belong; null: nobody knows. */
  sentFolder: string | null
}

/** The mailboxes in which this process idles, for whoever has something to put there: no login is needed for it. */
export class OpenMailboxes {
  readonly #open = new Map<string, OpenInbox>()

  /** Answers how it is taken out again, which is before its session is closed. */
  add(tenant: Tenant, sendingAccountId: string, inbox: OpenInbox): () => void {
    const key = keyOf(tenant, sendingAccountId)
    this.#open.set(key, inbox)
    return () => {
      if (this.#open.get(key) === inbox) this.#open.delete(key)
    }
  }

  find(tenant: Tenant, sendingAccountId: string): OpenInbox | null {
    const inbox = this.#open.get(keyOf(tenant, sendingAccountId))
    return inbox?.session.usable === true ? inbox : null
  }
}

function keyOf({ accountId, environment }: Tenant, sendingAccountId: string): string {
  return `${accountId} ${environment} ${sendingAccountId}`
}
