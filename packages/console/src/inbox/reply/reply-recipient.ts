import type { ConversationWithMessages } from '@overture/sdk'

type Message = ConversationWithMessages['messages'][number]

export interface ReplyRecipient {
  /** The message that the reply answers. */
  messageId: string
  email: string
  /** The address that wrote, if the reply goes to another domain because the mail asked for it (`Reply-To`). */
  insteadOf: string | null
}

/** Where the server sends a reply to this conversation; null if there is nothing to answer. */
export function replyRecipient(messages: readonly Message[]): ReplyRecipient | null {
  const answerable = messages.filter(isAnswerable)
  const answered = answerable.findLast(({ direction }) => direction === 'inbound') ?? answerable.at(-1)
  if (answered === undefined) return null
  if (answered.direction === 'outbound') return toRecipient(answered, answered.to[0]?.email, null)
  const wrote = answered.from?.email ?? null
  return toRecipient(answered, answered.classification?.replyTo?.[0]?.email ?? wrote ?? undefined, wrote)
}

function isAnswerable({ messageId, kind, direction, status }: Message): boolean {
  return messageId !== null && kind !== 'bounce' && (direction === 'inbound' || status === 'sent')
}

function toRecipient({ id }: Message, email: string | undefined, wrote: string | null): ReplyRecipient | null {
  if (email === undefined) return null
  return { messageId: id, email, insteadOf: wrote !== null && emailDomain(wrote) !== emailDomain(email) ? wrote : null }
}

function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
