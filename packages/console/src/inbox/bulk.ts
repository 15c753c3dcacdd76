import type { BulkConversationsInput, Conversation } from '@overture/sdk'

export type ConversationsChange = Omit<BulkConversationsInput, 'ids'>

const idsMax = 100

/** The request bodies that make the same change to all conversations. */
export function bulkBodies(
  conversations: readonly Conversation[],
  change: ConversationsChange,
): BulkConversationsInput[] {
  const ids = conversations.map(({ id }) => id)
  return Array.from({ length: Math.ceil(ids.length / idsMax) }, (_none, part) => ({
    ids: ids.slice(part * idsMax, (part + 1) * idsMax),
    ...change,
  }))
}

/** The request bodies that restore each conversation. */
export function inverseBodies(
  conversations: readonly Conversation[],
  change: ConversationsChange,
): BulkConversationsInput[] {
  const groups = new Map<string, { change: ConversationsChange; conversations: Conversation[] }>()
  for (const conversation of conversations) {
    const before: ConversationsChange = {
      ...(change.read !== undefined && { read: !conversation.unread }),
      ...(change.archived !== undefined && { archived: conversation.archived }),
      ...(change.interest !== undefined && { interest: conversation.interest }),
    }
    const name = JSON.stringify(before)
    const group = groups.get(name) ?? { change: before, conversations: [] }
    group.conversations.push(conversation)
    groups.set(name, group)
  }
  return [...groups.values()].flatMap((group) => bulkBodies(group.conversations, group.change))
}
