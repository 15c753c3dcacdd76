import type { Conversation, Interest } from '@overture/sdk'
import { useRef } from 'react'
import { usePaths } from '../paths.ts'
import { useListReading } from '../platform/api/query.ts'
import { useSearchParams } from '../platform/form/index.ts'
import { useKeys } from '../platform/keys/keys.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { useSelection } from '../platform/table/index.ts'
import { classes, useGo, useTitle } from '../platform/ui/index.ts'
import { ConversationColumn } from './conversation-column.panel.tsx'
import { ConversationPane } from './conversation.panel.tsx'
import { useSettled } from './fresh.ts'
import { useConversationActs } from './inbox.actions.ts'
import { text } from './inbox.messages.ts'
import { openSnoozeMenu } from './later/snooze.panel.tsx'
import { useKeptInView } from './kept-in-view.queries.ts'
import { conversationList, useConversation, views, type InboxFilter, type View } from './inbox.queries.ts'
import styles from './inbox.module.css'
import { Views } from './views.panel.tsx'

/** Views, the list and the open conversation. Each decision is one key. */
export function InboxPage() {
  // Empty on /inbox, where no conversation is open.
  const id = usePathParams('/inbox/$id').id || undefined
  const [params] = useSearchParams()
  const view = views.find((one) => one === params['view']) ?? 'all'
  const filter = readFilter(params)
  const list = useListReading(conversationList(view, filter))
  const name = JSON.stringify([view, filter])
  // The page shows what happens to the open conversation, also when the list no longer has it.
  useConversation(id)
  const inView = useKeptInView({ name, openId: id }, list.items).filter((one) => belongs(view, one) || one.id === id)
  const settled = useSettled(name, inView, list.query.data !== undefined && !list.query.isPlaceholderData)
  const current = settled.shown.find((one) => one.id === id)
  useTitle(current === undefined ? text.title : `${current.subject} · ${text.title}`)
  const to = useConversationLink(params)
  const selection = useSelection<Conversation>(name)
  useInboxKeys({ shown: settled.shown, id, to, showFresh: settled.showFresh, toggle: selection.toggle })
  return (
    <div className={classes(styles['inbox'], id !== undefined && styles['open'])}>
      <Views view={view} />
      <ConversationColumn
        list={list}
        settled={settled}
        currentId={id}
        to={to}
        selection={selection}
        filtered={Object.keys(filter).length > 0 || view !== 'all'}
        words={params['q'] ?? ''}
      />
      <ConversationPane key={id} id={id} known={current} backTo={to(undefined)} />
    </div>
  )
}

function belongs(view: View, { archived, snoozedUntil }: Conversation): boolean {
  if (view === 'awaiting' && snoozedUntil !== null) return false
  if (view === 'snoozed' && snoozedUntil === null) return false
  // A conversation that was just read stays in the list until the view is opened again.
  return view === 'archived' ? archived : !archived
}

function readFilter(params: Readonly<Record<string, string>>): InboxFilter {
  const { q, interest, campaignId, sendingAccountId, ownerId, tag } = params
  return {
    ...(q !== undefined && { q }),
    ...(interest !== undefined && { interest: interest as Interest }),
    ...(campaignId !== undefined && { campaignId }),
    ...(sendingAccountId !== undefined && { sendingAccountId }),
    ...(ownerId !== undefined && { ownerId }),
    ...(tag !== undefined && { tagId: tag }),
  }
}

/** The URL of a conversation, which keeps the filters. */
function useConversationLink(params: Readonly<Record<string, string>>): (id: string | undefined) => string {
  const paths = usePaths()
  const query = new URLSearchParams(params).toString()
  return (id) => `${id === undefined ? paths.inbox : paths.conversation(id)}${query === '' ? '' : `?${query}`}`
}

interface KeyUse {
  shown: readonly Conversation[]
  id: string | undefined
  to: (id: string) => string
  showFresh: () => void
  toggle: (conversation: Conversation) => void
}

function useInboxKeys({ shown, id, to, showFresh, toggle }: KeyUse): void {
  const go = useGo()
  const index = shown.findIndex((one) => one.id === id)
  const current = shown[index]
  const acts = useConversationActs(current)
  // After a conversation is archived, the next one is at its position.
  const last = useRef(0)
  if (index >= 0) last.current = index
  const move = (by: number): void => {
    const next = shown[index === -1 ? Math.min(last.current, shown.length - 1) : index + by]
    if (next !== undefined) go(to(next.id), { replace: id !== undefined })
  }
  const archive = (): void => {
    const next = shown[index + 1] ?? shown[index - 1]
    acts.archive()
    if (current !== undefined && !current.archived && next !== undefined) go(to(next.id), { replace: true })
  }
  const { keys } = text
  useKeys([
    { keys: 'j', label: keys.next, act: () => move(1) },
    { keys: 'k', label: keys.previous, act: () => move(-1) },
    { keys: 'o', label: keys.open, act: () => document.querySelector<HTMLElement>('#conversation')?.focus() },
    { keys: 'u', label: keys.unread, act: acts.unread },
    { keys: 'e', label: keys.archive, act: archive },
    { keys: 'b', label: keys.snooze, act: openSnoozeMenu },
    { keys: 'i', label: keys.interested, act: () => acts.label('interested') },
    {
      keys: 'l',
      label: keys.label,
      act: () => document.querySelector<HTMLElement>('#conversation [aria-haspopup=menu]')?.click(),
    },
    {
      keys: 'r',
      label: keys.reply,
      act: () => document.querySelector<HTMLElement>('#conversation [contenteditable=true]')?.focus(),
    },
    { keys: 'x', label: keys.choose, act: () => current !== undefined && toggle(current) },
    { keys: '.', label: keys.fresh, act: showFresh },
  ])
}
