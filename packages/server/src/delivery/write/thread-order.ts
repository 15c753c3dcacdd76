/** The fields of a message that decide its place in the thread. */
export interface ThreadedMessage {
  rfcMessageId: string | null
  /** The Message-ID with which a server replaced `rfcMessageId`. */
  deliveredMessageId?: string | null
  inReplyTo: string | null
  sentAt: Date | null
  receivedAt: Date | null
}

/**
 * Mail servers report the arrival in whole seconds, so among messages of the same second a reply is sorted after the message it
 * answers. The order is otherwise unchanged.
 */
export function inThreadOrder<Message extends ThreadedMessage>(messages: readonly Message[]): Message[] {
  const byId = new Map(
    messages.flatMap((message) =>
      [message.rfcMessageId, message.deliveredMessageId].flatMap((id) => (id ? [[id, message] as const] : [])),
    ),
  )
  const placed = new Set<Message>()
  const waiting = new Map<Message, Message[]>()
  const place = (message: Message): void => {
    placed.add(message)
    for (const answer of waiting.get(message) ?? []) place(answer)
    waiting.delete(message)
  }
  for (const message of messages) {
    const answered = byId.get(message.inReplyTo ?? '')
    const waits = answered !== undefined && answered !== message && !placed.has(answered)
    if (waits && messageSecond(answered) === messageSecond(message))
      waiting.set(answered, [...(waiting.get(answered) ?? []), message])
    else place(message)
  }
  // Forged references may be circular. Then the messages keep their order.
  return placed.size < messages.length ? [...messages] : [...placed]
}

function messageSecond({ sentAt, receivedAt }: ThreadedMessage): number | null {
  const at = sentAt ?? receivedAt
  return at === null ? null : Math.floor(at.getTime() / 1000)
}

/** The Message-ID that the recipient sees. */
export function seenMessageId(message: Pick<ThreadedMessage, 'rfcMessageId' | 'deliveredMessageId'>): string | null {
  return message.deliveredMessageId ?? message.rfcMessageId
}
