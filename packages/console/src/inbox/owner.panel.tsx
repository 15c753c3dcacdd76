import type { Conversation, User } from '@overture/sdk'
import { ChevronDown } from 'lucide-react'
import { Menu } from '../platform/ui/index.ts'
import { useColleagues } from '../users/index.ts'
import { usePatchConversation } from './inbox.actions.ts'
import { text } from './inbox.messages.ts'

const chevronSize = 14

/** Shows whose conversation it is, and assigns it to a user. */
export function OwnerMenu({ conversation }: { conversation: Conversation }) {
  const users = useColleagues()
  const patch = usePatchConversation()
  const { ownerId } = conversation
  const owner = users.find(({ id }) => id === ownerId)
  const shown =
    ownerId === null ? text.assign : text.assignedTo(owner === undefined ? text.formerUser : userName(owner))
  const items = users
    .filter(({ status }) => status === 'active')
    .map((user) => ({
      label: userName(user),
      act: () => patch(conversation, { ownerId: user.id }, text.assignedTo(userName(user))),
    }))
  const remove = { label: text.unassign, act: () => patch(conversation, { ownerId: null }, text.unassigned) }
  return (
    <Menu small operation="updateConversation" label={shown} items={ownerId === null ? items : [...items, remove]}>
      {shown}
      <ChevronDown size={chevronSize} aria-hidden />
    </Menu>
  )
}

/** The choices of a filter by owner. */
export function ownerChoices(users: readonly User[]): { value: string; label: string }[] {
  return [{ value: '', label: text.anyOwner }, ...users.map((user) => ({ value: user.id, label: userName(user) }))]
}

function userName({ name, email }: User): string {
  return name ?? email
}
