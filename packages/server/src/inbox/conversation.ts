import { messageClassification } from '@overture/contract/conversations.ts'
import type { Conversation, ThreadMessage } from '@overture/contract/conversations.ts'
import { htmlToText } from './html-text.ts'

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

export interface Message extends Pick<
  ThreadMessage,
  | 'id'
  | 'threadId'
  | 'direction'
  | 'kind'
  | 'stepId'
  | 'variantId'
  | 'subject'
  | 'text'
  | 'quotedText'
  | 'html'
  | 'inReplyTo'
  | 'status'
> {
  fromAddress: { email: string; name?: string | null } | null
  toAddresses: { email: string; name?: string | null }[]
  ccAddresses: { email: string; name?: string | null }[]
  rfcMessageId: string | null
  refs: string[]
  sentAt: Date | null
  receivedAt: Date | null
  openedAt: Date | null
  classification: Record<string, unknown> | null
}

export function presentMessage(row: Message): ThreadMessage {
  const classification = messageClassification.safeParse(row.classification)
  return {
    id: row.id,
    threadId: row.threadId,
    direction: row.direction,
    kind: row.kind,
    stepId: row.stepId,
    variantId: row.variantId,
    from: row.fromAddress === null ? null : address(row.fromAddress),
    to: row.toAddresses.map(address),
    cc: row.ccAddresses.map(address),
    subject: row.subject,
    text: row.text,
    quotedText: row.quotedText,
    html: row.html,
    messageId: row.rfcMessageId,
    inReplyTo: row.inReplyTo,
    status: row.status,
    sentAt: row.sentAt?.toISOString() ?? null,
    receivedAt: row.receivedAt?.toISOString() ?? null,
    openedAt: row.openedAt?.toISOString() ?? null,
    classification: classification.success ? classification.data : null,
  }
}

function address(one: { email: string; name?: string | null }) {
  return { email: one.email, name: one.name ?? null }
}

/** The message that a person's answer answers: the one they name, else the last that came in. */
export function messageToAnswer<Row extends Message>(messages: readonly Row[], named: string | undefined): Row | null {
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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
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
    people: `%${text
      .trim()
      .toLowerCase()
      .replace(/[\\%_]/g, String.raw`\$&`)}%`,
  }
}
