import { createHash } from 'node:crypto'
import type { ReplyDraft } from '@overture/contract/inbox/reply-drafts.ts'
import type { Triage } from '@overture/contract/inbox/triage.ts'

export interface ReplyDraftRow {
  id: string
  threadId: string
  campaignId: string
  leadId: string
  messageId: string
  modelId: string
  status: Exclude<ReplyDraft['status'], 'outdated'>
  text: string | null
  error: string | null
  createdAt: Date
  updatedAt: Date
}

/** The newest message of a lead in a conversation. */
export interface NewestReply {
  threadId: string
  campaignId: string | null
  leadId: string | null
  messageId: string
  /** Whether it may be answered: a proven reply that no person has answered, of a lead who has not opted out. */
  isOpen: boolean
}

/** The digest of a text that a person reads and sends. */
export function replyDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A draft as the API shows it. A draft that no longer answers the newest message is outdated. */
export function presentReplyDraft(row: ReplyDraftRow, newest: NewestReply | null): ReplyDraft {
  const { threadId: conversationId, campaignId: _campaign, leadId: _lead, createdAt, updatedAt, ...shown } = row
  return {
    ...shown,
    conversationId,
    status: isOutdated(row, newest) ? 'outdated' : row.status,
    textDigest: row.text === null ? null : replyDigest(row.text),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function isOutdated({ status, messageId }: ReplyDraftRow, newest: NewestReply | null): boolean {
  if (status === 'sent' || status === 'dismissed') return false
  return !isToAnswer(messageId, newest)
}

/** Whether a message is the newest of its lead and may be answered. */
export function isToAnswer(messageId: string, newest: NewestReply | null): newest is NewestReply {
  return newest !== null && newest.isOpen && newest.messageId === messageId
}

const draftedIntents: ReadonlySet<string> = new Set(['question', 'objection'])

/** Whether a reply with this reading gets a draft. */
export function isDrafted({ status, interest, intent }: Pick<Triage, 'status' | 'interest' | 'intent'>): boolean {
  return status === 'done' && (interest === 'interested' || (intent !== null && draftedIntents.has(intent)))
}
