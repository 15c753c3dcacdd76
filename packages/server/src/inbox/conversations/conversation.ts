import { likeAnywhere } from '@overture/ground/text/like.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'
import type { Conversation, ConversationCounts } from '@overture/contract/inbox/conversations.ts'

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
  awaiting: boolean
  interest: Conversation['interest']
  archived: boolean
  ownerId: string | null
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
    subject: withoutLinkTokens(row.subject),
    snippet: withoutLinkTokens(row.snippet),
    unread: row.unread,
    awaiting: row.awaiting,
    interest: row.interest,
    archived: row.archived,
    ownerId: row.ownerId,
    lastMessageAt: row.lastMessageAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

/** The counts of one group. It contains all conversations if all three ids are null. */
export interface ConversationGroup {
  campaignId: string | null
  sendingAccountId: string | null
  interest: string | null
  count: number
  unread: number
  awaiting: number
}

/** Combines the groups: one group contains all conversations, each other one a campaign, a sender or a label. */
export function conversationCounts(groups: readonly ConversationGroup[]): ConversationCounts {
  const counts: ConversationCounts = {
    total: 0,
    unread: 0,
    awaiting: 0,
    byInterest: {},
    bySendingAccount: {},
    byCampaign: {},
  }
  for (const { campaignId, sendingAccountId, interest, count, unread, awaiting } of groups) {
    if (campaignId !== null) counts.byCampaign[campaignId] = count
    else if (sendingAccountId !== null) counts.bySendingAccount[sendingAccountId] = count
    else if (interest !== null) counts.byInterest[interest] = count
    else Object.assign(counts, { total: count, unread, awaiting })
  }
  return counts
}

/**
 * Converts a search text to words for PostgreSQL's full-text search, in which each word may be incomplete, and to a `like`
 * pattern for people. Null if the text is empty.
 */
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
