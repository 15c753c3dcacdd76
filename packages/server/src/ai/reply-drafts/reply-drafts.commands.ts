import { conflict, notFound } from '@overture/contract/errors.ts'
import type { ReplyDraft } from '@overture/contract/inbox/reply-drafts.ts'
import type { Triage } from '@overture/contract/inbox/triage.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ReplyTask } from '../texts/reply-writing.ts'
import {
  isDrafted,
  isToAnswer,
  type NewestReply,
  presentReplyDraft,
  replyDigest,
  type ReplyDraftRow,
} from './reply-draft.ts'
import { findReplyDraft, lockReplyDraft, updateReplyDraft, upsertReplyDraft } from './reply-drafts.sql.ts'

/** The functions of campaigns and the inbox that drafts need. AI doesn't import them, so the composition root passes them in. */
export interface ReplyDraftTools {
  /** The model that writes the drafts of a campaign; null if the campaign has none. */
  findDraftModel(db: Executor, tenant: Tenant, campaignId: string): Promise<string | null>
  /** The newest message of the lead in the conversation, or in that of a message. Null if there is no conversation. */
  findNewestReply(
    db: Executor,
    tenant: Tenant,
    key: { threadId: string } | { messageId: string },
  ): Promise<NewestReply | null>
  /** The messages of one lead and of the account, with the account's texts. */
  readConversation(db: Executor, tenant: Tenant, reply: DraftedReply): Promise<ReplyTask>
  findLeadEmail(db: Executor, tenant: Tenant, reply: DraftedReply): Promise<string | null>
}

type DraftedReply = Pick<ReplyDraftRow, 'threadId' | 'campaignId' | 'leadId' | 'messageId'>

/** Requests a draft for a reply that a model has read. Runs in the transaction that stores the reading. */
export async function requestReplyDraft(
  tx: Transaction,
  tenant: Tenant,
  tools: ReplyDraftTools,
  { messageId, triage, now }: { messageId: string; triage: Triage; now: Date },
): Promise<void> {
  if (!isDrafted(triage)) return
  const newest = await tools.findNewestReply(tx, tenant, { messageId })
  if (!isToAnswer(messageId, newest)) return
  await request(tx, tenant, tools, { newest, again: false, now })
}

async function request(
  tx: Transaction,
  tenant: Tenant,
  tools: ReplyDraftTools,
  { newest, again, now }: { newest: NewestReply; again: boolean; now: Date },
): Promise<void> {
  const { threadId, campaignId, leadId, messageId } = newest
  const modelId = campaignId === null ? null : await tools.findDraftModel(tx, tenant, campaignId)
  if (modelId === null || campaignId === null || leadId === null) {
    if (!again) return
    throw conflict('The campaign drafts no replies. Set replyDrafts and aiTriage first.', 'off')
  }
  const id = newId('rdr')
  const isNew = await upsertReplyDraft(tx, tenant, { id, threadId, campaignId, leadId, messageId, modelId, again, now })
  if (isNew) await enqueueReplyDraft(tx, tenant, { id, since: now, at: now })
}

export async function enqueueReplyDraft(
  db: Executor,
  tenant: Tenant,
  { id, since, at }: { id: string; since: Date; at: Date },
): Promise<void> {
  const payload = { draftId: id, since: since.toISOString() }
  await enqueueJob(db, { kind: 'ai.reply_draft', tenant, payload, runAt: at, key: id })
}

/** Returns the draft of a conversation, or null if it has none. */
export async function showReplyDraft(
  db: Executor,
  tenant: Tenant,
  tools: ReplyDraftTools,
  threadId: string,
): Promise<ReplyDraft | null> {
  const row = await findReplyDraft(db, tenant, threadId)
  return row && presentReplyDraft(row, await tools.findNewestReply(db, tenant, { threadId }))
}

interface DraftOfConversation {
  threadId: string
  now: Date
}

/** Requests a draft, or a new one. A draft that is being written stays. */
export async function writeAgain(
  tx: Transaction,
  tenant: Tenant,
  tools: ReplyDraftTools,
  { threadId, now }: DraftOfConversation,
): Promise<ReplyDraft> {
  const newest = await tools.findNewestReply(tx, tenant, { threadId })
  if (newest === null) throw notFound()
  if (!newest.isOpen) throw conflict('The conversation has no reply to answer.', 'answered')
  const before = await lockReplyDraft(tx, tenant, threadId)
  const isBeingWritten = before?.status === 'requested' && before.messageId === newest.messageId
  if (!isBeingWritten) await request(tx, tenant, tools, { newest, again: true, now })
  const row = await findReplyDraft(tx, tenant, threadId)
  if (row === null) throw notFound()
  return presentReplyDraft(row, newest)
}

export async function dismissReplyDraft(
  tx: Transaction,
  tenant: Tenant,
  { threadId, now }: DraftOfConversation,
): Promise<{ id: string; deleted: true }> {
  const row = await lockReplyDraft(tx, tenant, threadId)
  if (row === null) throw notFound()
  if (row.status === 'sent') throw conflict('The draft was sent.', 'sent')
  const { id } = row
  await updateReplyDraft(tx, tenant, { id, status: 'dismissed', text: null, error: null, now })
  return { id, deleted: true }
}

interface DraftToSend {
  threadId: string
  draftId: string
  draftDigest: string
}

/**
 * Locks the draft that a person sends, and returns its text. Throws 409 if the text is not the one that the person read, or if the draft
 * no longer answers the newest message.
 */
export async function takeReplyDraft(
  tx: Transaction,
  tenant: Tenant,
  tools: ReplyDraftTools,
  { threadId, draftId, draftDigest }: DraftToSend,
): Promise<string> {
  const row = await lockReplyDraft(tx, tenant, threadId)
  if (row === null) throw notFound()
  if (row.id !== draftId) throw conflict('Another draft has replaced this one. Read it before you send it.', 'outdated')
  const { status } = presentReplyDraft(row, await tools.findNewestReply(tx, tenant, { threadId }))
  if (status !== 'ready' || row.text === null) throw conflict(`The draft is ${status} and can't be sent.`, status)
  if (draftDigest !== replyDigest(row.text))
    throw conflict('This is not the text of the draft. Read the draft again before you send it.', status)
  return row.text
}

/** Notes that a person sent the draft that `takeReplyDraft` has locked. */
export async function closeReplyDraft(
  tx: Transaction,
  tenant: Tenant,
  { draftId, text, replyId, now }: { draftId: string; text: string; replyId: string; now: Date },
): Promise<void> {
  await updateReplyDraft(tx, tenant, { id: draftId, status: 'sent', text, error: null, replyId, now })
}
