import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ReplyDraftRow } from './reply-draft.ts'

const columns = 'id, thread_id, campaign_id, lead_id, message_id, model_id, status, text, error, created_at, updated_at'

export async function findReplyDraft(db: Executor, tenant: Tenant, threadId: string): Promise<ReplyDraftRow | null> {
  const [row] = await db.query<ReplyDraftRow>(
    `select ${columns} from reply_drafts where account_id = $1 and environment = $2 and thread_id = $3`,
    [tenant.accountId, tenant.environment, threadId],
    'find_reply_draft',
  )
  return row ?? null
}

/** The draft that a job writes. Undefined if another draft has replaced it. */
export async function findReplyDraftById(db: Executor, tenant: Tenant, id: string): Promise<ReplyDraftRow | undefined> {
  const [row] = await db.query<ReplyDraftRow>(
    `select ${columns} from reply_drafts where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_reply_draft_by_id',
  )
  return row
}

export async function lockReplyDraft(db: Executor, tenant: Tenant, threadId: string): Promise<ReplyDraftRow | null> {
  const [row] = await db.query<ReplyDraftRow>(
    `select ${columns} from reply_drafts where account_id = $1 and environment = $2 and thread_id = $3 for update`,
    [tenant.accountId, tenant.environment, threadId],
    'lock_reply_draft',
  )
  return row ?? null
}

interface NewReplyDraft extends Pick<
  ReplyDraftRow,
  'id' | 'threadId' | 'campaignId' | 'leadId' | 'messageId' | 'modelId'
> {
  /** Whether a draft of the same message is replaced. */
  again: boolean
  now: Date
}

/** Requests a draft in place of the current one. Returns false if the message has a draft already. */
export async function upsertReplyDraft(tx: Executor, tenant: Tenant, draft: NewReplyDraft): Promise<boolean> {
  const changed = await tx.execute(
    `insert into reply_drafts as d (account_id, environment, thread_id, id, campaign_id, lead_id, message_id, model_id, status,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'requested', $10, $10)
     on conflict (account_id, environment, thread_id) do update set id = excluded.id, campaign_id = excluded.campaign_id,
       lead_id = excluded.lead_id, message_id = excluded.message_id, model_id = excluded.model_id, status = 'requested', text = null,
       error = null, reply_id = null, created_at = excluded.created_at, updated_at = excluded.updated_at
       where $9 or d.message_id <> excluded.message_id`,
    [
      tenant.accountId,
      tenant.environment,
      draft.threadId,
      draft.id,
      draft.campaignId,
      draft.leadId,
      draft.messageId,
      draft.modelId,
      draft.again,
      draft.now,
    ],
    'upsert_reply_draft',
  )
  return changed === 1
}

interface ReplyDraftChange {
  id: string
  status: ReplyDraftRow['status']
  text: string | null
  error: string | null
  replyId?: string
  now: Date
}

export async function updateReplyDraft(tx: Executor, tenant: Tenant, change: ReplyDraftChange): Promise<void> {
  await tx.execute(
    `update reply_drafts set status = $4, text = $5, error = $6, reply_id = $7, updated_at = $8
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      change.id,
      change.status,
      change.text,
      change.error,
      change.replyId ?? null,
      change.now,
    ],
    'update_reply_draft',
  )
}

/** Gives back the draft of a reply that a person withdrew. */
export async function reopenReplyDraft(
  tx: Executor,
  tenant: Tenant,
  withdrawn: { threadId: string; replyId: string; now: Date },
): Promise<void> {
  await tx.execute(
    `update reply_drafts set status = 'ready', reply_id = null, updated_at = $5
     where account_id = $1 and environment = $2 and thread_id = $3 and reply_id = $4 and status = 'sent'`,
    [tenant.accountId, tenant.environment, withdrawn.threadId, withdrawn.replyId, withdrawn.now],
    'reopen_reply_draft',
  )
}
