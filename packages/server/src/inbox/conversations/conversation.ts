import { dayMs } from '@overture/ground/time/spans.ts'
import { likeAnywhere } from '@overture/ground/text/like.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
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
  snoozedUntil: Date | null
  scheduled: Conversation['scheduled']
  ownerId: string | null
  lastMessageAt: Date
  createdAt: Date
}

/** A conversation as the API shows it. A snooze that has ended is not shown. */
export function presentConversation(row: Row, now: Date): Conversation {
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
    snoozedUntil: isSnoozed(row, now) ? (row.snoozedUntil?.toISOString() ?? null) : null,
    scheduled: row.scheduled,
    ownerId: row.ownerId,
    lastMessageAt: row.lastMessageAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

function isSnoozed({ snoozedUntil }: Row, now: Date): boolean {
  return snoozedUntil !== null && snoozedUntil > now
}

const snoozeMsMax = 366 * dayMs

/** Returns the issue of a new end of a snooze, or null if it may be set. */
export function snoozeIssue(until: Date, now: Date): ValidationIssue | null {
  const path = 'snoozedUntil'
  if (until <= now) return { path, rule: 'future', message: 'The time must be in the future.' }
  if (until.getTime() - now.getTime() <= snoozeMsMax) return null
  return { path, rule: 'max', message: 'The time must be within a year.' }
}

/** The counts of one group. It contains all conversations if all three ids are null. */
export interface ConversationGroup {
  campaignId: string | null
  sendingAccountId: string | null
  interest: string | null
  count: number
  unread: number
  awaiting: number
  snoozed: number
}

/** Combines the groups: one group contains all conversations, each other one a campaign, a sender or a label. */
export function conversationCounts(
  groups: readonly ConversationGroup[],
  scheduled: Pick<ConversationCounts, 'scheduled' | 'held'>,
): ConversationCounts {
  const counts: ConversationCounts = {
    total: 0,
    unread: 0,
    awaiting: 0,
    snoozed: 0,
    ...scheduled,
    byInterest: {},
    bySendingAccount: {},
    byCampaign: {},
  }
  for (const { campaignId, sendingAccountId, interest, count, unread, awaiting, snoozed } of groups) {
    if (campaignId !== null) counts.byCampaign[campaignId] = count
    else if (sendingAccountId !== null) counts.bySendingAccount[sendingAccountId] = count
    else if (interest !== null) counts.byInterest[interest] = count
    else Object.assign(counts, { total: count, unread, awaiting, snoozed })
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
