import type { ReplyDraft } from '@overture/contract/inbox/reply-drafts.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The functions of AI writing that conversations need. The inbox doesn't import AI, so the composition root passes them in. */
export interface ConversationDrafts {
  show(db: Executor, tenant: Tenant, threadId: string): Promise<ReplyDraft | null>
  /** The text of the draft that a person sends. Throws 409 if it is not the text that the person read. */
  take(
    tx: Transaction,
    tenant: Tenant,
    sent: { threadId: string; draftId: string; draftDigest: string },
  ): Promise<string>
  close(
    tx: Transaction,
    tenant: Tenant,
    sent: { draftId: string; text: string; replyId: string; now: Date },
  ): Promise<void>
  /** Gives back the draft of a reply that was withdrawn. */
  reopen(tx: Transaction, tenant: Tenant, withdrawn: { threadId: string; replyId: string; now: Date }): Promise<void>
}
