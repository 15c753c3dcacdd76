import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '@overture/sdk'
import { useRef } from 'react'
import { useEnvironment } from '../platform/api/environment.tsx'

interface SeenList {
  name: string
  byId: Map<string, Conversation>
  openedIds: Set<string>
}

function noneSeen(name: string): SeenList {
  return { name, byId: new Map(), openedIds: new Set() }
}

/**
 * Keeps the conversations that were opened in this view, also when they no longer belong to it. An unread one that is read would
 * otherwise disappear under the cursor, and the keys that archive it or go back would find nothing.
 */
export function useKeptInView(
  { name, openId }: { name: string; openId: string | undefined },
  items: readonly Conversation[],
): readonly Conversation[] {
  const client = useQueryClient()
  const environment = useEnvironment()
  const seen = useRef(noneSeen(name))
  if (seen.current.name !== name) seen.current = noneSeen(name)
  const { byId, openedIds } = seen.current
  if (openId !== undefined) openedIds.add(openId)
  const listed = new Set(items.map(({ id }) => id))
  for (const item of items) byId.set(item.id, item)
  const kept = [...byId.values()].flatMap((conversation) => {
    const { id } = conversation
    if (listed.has(id) || !openedIds.has(id)) return []
    // The messages may not have arrived, because the user opened the next conversation earlier.
    const opened = client.getQueryData<Conversation>([environment, 'conversations', 'one', id])
    return [opened === undefined ? conversation : { ...conversation, ...changeable(opened) }]
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
