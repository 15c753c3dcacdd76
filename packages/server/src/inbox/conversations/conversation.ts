import { likeAnywhere } from '../../ground/text/like.ts'
import { escapeHtml } from '../../ground/text/text-html.ts'
import type { Conversation } from '@overture/contract/inbox/conversations.ts'
import { htmlToText } from '../mime/html-text.ts'

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

interface Answerable {
  id: string
  direction: 'outbound' | 'inbound'
  kind: string
  status: string
  rfcMessageId: string | null
}

/** The message that a person's answer answers: the one they name, else the last that came in. */
export function messageToAnswer<Message extends Answerable>(
  messages: readonly Message[],
  named: string | undefined,
): Message | null {
  const answerable = messages.filter(
    (message) =>
      message.rfcMessageId !== null &&
      message.kind !== 'bounce' &&
      (message.direction === 'inbound' || message.status === 'sent'),
  )
  if (named !== undefined) return answerable.find((message) => message.id === named) ?? null
  return answerable.findLast((message) => message.direction === 'inbound') ?? null
}

/** `Re:` once, in whatever language it stood there before. */
export function replySubject(subject: string): string {
  const bare = subject.replace(
    /^(?:\s*(?:re|aw|sv|vs|antw|odp|rif|res|ref|回复|回覆|答复)\s?(?:\[\d+\])?\s?[:：]\s*)+/iu,
    '',
  )
  return `Re: ${bare}`.slice(0, 900)
}

/** Both forms of what a person wrote; the one that is missing is made from the other. */
export function bothForms(body: { text?: string | undefined; html?: string | undefined }): {
  text: string
  html: string
} {
  const text = body.text ?? htmlToText(body.html ?? '')
  return { text, html: body.html ?? `<div>${escapeHtml(text).replaceAll('\n', '<br>\n')}</div>` }
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
