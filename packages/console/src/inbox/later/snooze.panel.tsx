import type { Conversation } from '@overture/sdk'
import { timeText } from '../../platform/time/format.ts'
import { useTenantTime } from '../../platform/time/now.tsx'
import { usePatchConversation } from '../inbox.actions.ts'
import { text } from './later.messages.ts'
import { LaterMenu } from './later.panel.tsx'

const menuId = 'snooze'

/** Opens the menu of the open conversation, for a key. */
export function openSnoozeMenu(): void {
  document.querySelector<HTMLElement>(`#${menuId} [aria-haspopup=menu]`)?.click()
}

/** Hides a conversation from those that await a reply until a time or a new message. */
export function SnoozeMenu({ conversation }: { conversation: Conversation }) {
  const { zone } = useTenantTime()
  const patch = usePatchConversation()
  const { snoozedUntil } = conversation
  const label = snoozedUntil === null ? text.snooze : text.snoozed(timeText(snoozedUntil, zone))
  const end = { label: text.endSnooze, act: () => patch(conversation, { snoozedUntil: null }, text.snoozeEnded) }
  return (
    <LaterMenu
      id={menuId}
      operation="updateConversation"
      label={label}
      title={text.snoozeTitle}
      submitLabel={text.snooze}
      choose={(until) => patch(conversation, { snoozedUntil: until }, text.snoozed(timeText(until, zone)))}
      more={snoozedUntil === null ? [] : [end]}
    >
      {label}
    </LaterMenu>
  )
}
