import type { UpdateUserInput, User } from '@overture/sdk'
import { useState } from 'react'
import { ProofField, toConfirmation } from '../platform/form/index.ts'
import { Confirm, ErrorNote, Menu } from '../platform/ui/index.ts'
import { text } from './team.messages.ts'
import { useChangeUser, useRemoveUser } from './team.queries.ts'

export const roles = ['viewer', 'member', 'admin', 'owner'] as const

/** The changes that can be made to a user. Making or changing an owner asks for another proof of identity. */
export function UserMenu({ user }: { user: User }) {
  const [pending, setAsked] = useState<UpdateUserInput | null>(null)
  const [removing, setRemoving] = useState(false)
  const change = useChangeUser(user.id)
  const act = (input: UpdateUserInput) => () => {
    if (user.role === 'owner' || input.role === 'owner') setAsked(input)
    else change.mutate(input)
  }
  const items = [
    ...roles
      .filter((role) => role !== user.role)
      .map((role) => ({ label: text.makeRole(text.roles[role]), act: act({ role }) })),
    user.status === 'active'
      ? { label: text.turnOff, act: act({ status: 'disabled' }) }
      : { label: text.turnOn, act: act({ status: 'active' }) },
    { label: text.remove, danger: true, act: () => setRemoving(true) },
  ]
  return (
    <>
      <Menu small operation="updateUser" label={text.actions(user.name)} items={items}>
        {text.change}
      </Menu>
      {pending === null && <ErrorNote error={change.error} />}
      <Remove user={user} open={removing} close={() => setRemoving(false)} />
      <ChangeOwner user={user} input={pending} close={() => setAsked(null)} />
    </>
  )
}

function ChangeOwner({ user, input, close }: { user: User; input: UpdateUserInput | null; close: () => void }) {
  const [proof, setProof] = useState('')
  const change = useChangeUser(user.id)
  return (
    <Confirm
      title={text.ownerTitle}
      open={input !== null}
      close={close}
      confirmLabel={text.ownerConfirm}
      busy={change.isPending}
      confirm={() => change.mutate({ ...input, confirm: toConfirmation(proof) }, { onSuccess: close })}
    >
      <p>{text.ownerText(user.name)}</p>
      <ProofField value={proof} change={setProof} error={change.error} />
      <ErrorNote error={change.error} />
    </Confirm>
  )
}

function Remove({ user, open, close }: { user: User; open: boolean; close: () => void }) {
  const [proof, setProof] = useState('')
  const remove = useRemoveUser(user.id)
  const isOwner = user.role === 'owner'
  return (
    <Confirm
      title={text.removeTitle}
      open={open}
      close={close}
      danger
      confirmLabel={text.remove}
      busy={remove.isPending}
      confirm={() => remove.mutate(isOwner ? { confirm: toConfirmation(proof) } : {}, { onSuccess: close })}
    >
      <p>{text.removeText(user.name)}</p>
      {isOwner && <ProofField value={proof} change={setProof} error={remove.error} />}
      <ErrorNote error={remove.error} />
    </Confirm>
  )
}
