import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { noteLimits, type ConversationNote, type CreateNoteInput } from '@overture/contract/inbox/notes.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { lockConversation, type ConversationRow } from './conversations.sql.ts'
import { deleteNote, insertNote, listActiveUsers, listNotes, lockNote, type NoteRow } from './notes.sql.ts'

interface WrittenNote extends CreateNoteInput {
  conversationId: string
  author: AuditActor
  now: Date
}

/** Adds a note to a conversation. The event names the mentioned users, and has neither the text nor an address. */
export async function addNote(tx: Transaction, tenant: Tenant, input: WrittenNote): Promise<ConversationNote> {
  const conversation = await lockConversation(tx, tenant, input.conversationId)
  if (conversation === null) throw notFound()
  const mentions = [...new Set(input.mentions ?? [])]
  await assertUsers(tx, tenant, mentions)
  if ((await listNotes(tx, tenant, conversation.id)).length >= noteLimits.perConversation) {
    const message = `A conversation can have ${noteLimits.perConversation} notes. Delete one first.`
    throw new AppError('CONFLICT', message, { currentStatus: 'full', allowedActions: [] })
  }
  const { author, text, now } = input
  const id = newId('nte')
  const row = await insertNote(tx, tenant, { id, threadId: conversation.id, author, text, mentions, now })
  await appendNoted(tx, tenant, { conversation, noteId: id, mentions, now })
  return presentNote(row)
}

async function assertUsers(tx: Transaction, tenant: Tenant, mentions: readonly string[]): Promise<void> {
  const known = new Set(await listActiveUsers(tx, tenant, mentions))
  const unknown = mentions.findIndex((id) => !known.has(id))
  if (unknown >= 0)
    throw invalid({
      path: `mentions[${unknown}]`,
      rule: 'unknown_user',
      message: 'This is no active user of the account.',
    })
}

async function appendNoted(
  tx: Transaction,
  tenant: Tenant,
  noted: { conversation: ConversationRow; noteId: string; mentions: string[]; now: Date },
): Promise<void> {
  const { conversation, noteId, mentions, now } = noted
  const { id: conversationId, campaignId, leadId, leadEmail, sendingAccountId } = conversation
  await appendEvents(tx, tenant, [
    {
      type: 'conversation.noted',
      occurredAt: now,
      campaignId,
      leadId,
      leadEmail,
      sendingAccountId,
      data: { conversationId, noteId, mentions },
    },
  ])
}

interface NoteToDelete {
  conversationId: string
  noteId: string
  caller: AuditActor
  isAdmin: boolean
}

/** Deletes a note of the caller, or any note for an admin. */
export async function removeNote(
  tx: Transaction,
  tenant: Tenant,
  { conversationId, noteId, caller, isAdmin }: NoteToDelete,
): Promise<{ id: string; deleted: true }> {
  const note = await lockNote(tx, tenant, { threadId: conversationId, noteId })
  if (note === null) throw notFound()
  const isAuthor = note.authorType === caller.type && note.authorId !== null && note.authorId === caller.id
  if (!isAuthor && !isAdmin)
    throw new AppError('INSUFFICIENT_SCOPE', 'Only the author of a note or an admin can delete it.')
  await deleteNote(tx, tenant, noteId)
  return { id: noteId, deleted: true }
}

export function presentNote({ authorType, authorId, authorName, createdAt, ...note }: NoteRow): ConversationNote {
  const author = { type: authorType, id: authorId, name: authorName }
  return { ...note, author, createdAt: createdAt.toISOString() }
}
