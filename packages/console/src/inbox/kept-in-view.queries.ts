import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '@overture/sdk'
import { useRef } from 'react'
import { useEnvironment } from '../platform/api/environment.tsx'

interface SeenList {
  name: string
  byId: Map<string, Conversation>
}

/**
 * Keeps the conversations that were opened in this view, also when they no longer belong to it. An unread one that is read would
 * otherwise disappear under the cursor, and the keys that archive it or go back would find nothing.
 */
export function useKeptInView(name: string, items: readonly Conversation[]): readonly Conversation[] {
  const client = useQueryClient()
  const environment = useEnvironment()
  const seen = useRef<SeenList>({ name, byId: new Map() })
  if (seen.current.name !== name) seen.current = { name, byId: new Map() }
  const listed = new Set(items.map(({ id }) => id))
  for (const item of items) seen.current.byId.set(item.id, item)
  const kept = [...seen.current.byId.values()].flatMap((conversation) => {
    if (listed.has(conversation.id)) return []
    const opened = client.getQueryData<Conversation>([environment, 'conversations', 'one', conversation.id])
    return opened === undefined ? [] : [{ ...conversation, ...changeable(opened) }]
  })
  return kept.length === 0 ? items : [...items, ...kept].toSorted(newestFirst)
}

function changeable({
  unread,
  archived,
  interest,
  awaiting,
  snoozedUntil,
  scheduled,
}: Conversation): Partial<Conversation> {
  return { unread, archived, interest, awaiting, snoozedUntil, scheduled }
}

function newestFirst(one: Conversation, other: Conversation): number {
  return other.lastMessageAt.localeCompare(one.lastMessageAt)
}
