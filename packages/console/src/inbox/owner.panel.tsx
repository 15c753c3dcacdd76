import type { Conversation } from '@overture/sdk'
import { ChevronDown } from 'lucide-react'
import { Menu } from '../platform/ui/index.ts'
import { useColleagues, userChoices } from '../users/index.ts'
import { usePatchConversation } from './inbox.actions.ts'
import { text } from './inbox.messages.ts'

const chevronSize = 14

/** Shows whose conversation it is, and assigns it to a user. */
export function OwnerMenu({ conversation }: { conversation: Conversation }) {
  const users = useColleagues()
  const patch = usePatchConversation()
  const { ownerId } = conversation
  const owner = userChoices(users).find(({ value }) => value === ownerId)?.label ?? text.formerUser
  const shown = ownerId === null ? text.assign : text.assignedTo(owner)
  const active = users.filter(({ status }) => status === 'active')
  const items = userChoices(active).map(({ value, label }) => ({
    label,
    act: () => patch(conversation, { ownerId: value }, text.assignedTo(label)),
  }))
  const remove = { label: text.unassign, act: () => patch(conversation, { ownerId: null }, text.unassigned) }
  return (
    <Menu small operation="updateConversation" label={shown} items={ownerId === null ? items : [...items, remove]}>
      {shown}
      <ChevronDown size={chevronSize} aria-hidden />
    </Menu>
  )
}
