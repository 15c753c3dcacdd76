import { likeAnywhere } from '../../ground/text/like.ts'
import type { Conversation } from '@overture/contract/inbox/conversations.ts'

interface Row {
  id: string
  leadId: string | null
  campaignId: string | null
  sendingAccountId: string
  leadEmail: string | null
  firstName: string | null
  lastName: string | null
  subject: string
  snippet: string
  unread: boolean
  interest: Conversation['interest']
  archived: boolean
  lastMessageAt: Date
  createdAt: Date
}

export function presentConversation(row: Row): Conversation {
  return {
    id: row.id,
    leadId: row.leadId,
    campaignId: row.campaignId,
    sendingAccountId: row.sendingAccountId,
    lead: row.leadEmail === null ? null : { email: row.leadEmail, firstName: row.firstName, lastName: row.lastName },
    subject: row.subject,
    snippet: row.snippet,
    unread: row.unread,
    interest: row.interest,
    archived: row.archived,
    lastMessageAt: row.lastMessageAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

/** What was typed into a search field, as words for Postgres' full text search, the last one only begun. */
export function searchWords(text: string | undefined): { words: string; people: string } | null {
  if (text === undefined || text.trim() === '') return null
  const found =
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]{1,60}/gu)
      ?.slice(0, 20) ?? []
  return {
    words: found.length === 0 ? "'\u0001'" : found.map((word) => `'${word}':*`).join(' & '),
    people: likeAnywhere(text.trim().toLowerCase()),
  }
}
