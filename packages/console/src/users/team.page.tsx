import type { CreatedInvitation, Invitation, User } from '@overture/sdk'
import { useState } from 'react'
import { Form, SelectField, TextField } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import {
  Badge,
  Button,
  Confirm,
  Dialog,
  Empty,
  ErrorNote,
  issueOf,
  Menu,
  Panel,
  Row,
  ShownOnce,
  Soft,
} from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { text } from './team.messages.ts'
import {
  invitationList,
  useChangeUser,
  useInvite,
  useRemoveUser,
  useRevokeInvitation,
  userList,
} from './team.queries.ts'

const roles = ['viewer', 'member', 'admin', 'owner'] as const

/** Who may do what. */
export function TeamPage() {
  const [inviting, setInviting] = useState(false)
  const [made, setMade] = useState<CreatedInvitation | null>(null)
  return (
    <SettingsPage tab="team">
      <Row>
        <Button look="primary" onClick={() => setInviting(true)}>
          {text.invite}
        </Button>
        <Soft>{text.rolesHint}</Soft>
      </Row>
      <Panel flush title={text.people}>
        <ListTable
          label={text.people}
          reading={userList}
          columns={userColumns}
          rowKey={({ id }) => id}
          empty={<Empty title={text.nobody} />}
        />
      </Panel>
      <Panel flush title={text.invitations}>
        <ListTable
          label={text.invitations}
          reading={invitationList}
          columns={invitationColumns}
          rowKey={({ id }) => id}
          empty={<Empty title={text.none} />}
        />
      </Panel>
      <InviteDialog
        open={inviting}
        close={() => setInviting(false)}
        done={(invitation) => {
          setInviting(false)
          setMade(invitation)
        }}
      />
      <ShownOnce
        title={text.inviteLink}
        about={text.inviteLinkText}
        value={made?.url ?? null}
        copyLabel={text.copyLink}
        close={() => setMade(null)}
      />
    </SettingsPage>
  )
}

const userColumns: Column<User>[] = [
  { name: text.name, cell: ({ name }) => name },
  { name: text.email, cell: ({ email }) => email },
  { name: text.role, cell: ({ role }) => text.roles[role] },
  {
    name: text.status,
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'soft'}>{text.statuses[status]}</Badge>,
  },
  { name: text.lastSeen, cell: ({ lastSeenAt }) => (lastSeenAt === null ? text.never : <Time at={lastSeenAt} />) },
  { name: text.change, cell: (user) => <UserMenu user={user} /> },
]

const invitationColumns: Column<Invitation>[] = [
  { name: text.email, cell: ({ email }) => email },
  { name: text.role, cell: ({ role }) => text.roles[role] },
  { name: text.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  { name: text.revoke, cell: (invitation) => <Revoke invitation={invitation} /> },
]

function UserMenu({ user }: { user: User }) {
  const [asking, setAsking] = useState(false)
  const change = useChangeUser(user.id)
  const remove = useRemoveUser(user.id)
  const items = [
    ...roles
      .filter((role) => role !== user.role)
      .map((role) => ({ label: text.makeRole(text.roles[role]), act: () => change.mutate({ role }) })),
    user.status === 'active'
      ? { label: text.turnOff, act: () => change.mutate({ status: 'disabled' }) }
      : { label: text.turnOn, act: () => change.mutate({ status: 'active' }) },
    { label: text.remove, danger: true, act: () => setAsking(true) },
  ]
  return (
    <>
      <Menu small label={text.actions(user.name)} items={items}>
        {text.change}
      </Menu>
      <ErrorNote error={change.error} />
      <Confirm
        title={text.removeTitle}
        open={asking}
        close={() => setAsking(false)}
        danger
        confirmLabel={text.remove}
        busy={remove.isPending}
        confirm={() => remove.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        <p>{text.removeText(user.name)}</p>
        <ErrorNote error={remove.error} />
      </Confirm>
    </>
  )
}

function Revoke({ invitation }: { invitation: Invitation }) {
  const revoke = useRevokeInvitation(invitation.id)
  return (
    <>
      <Button small busy={revoke.isPending} onClick={() => revoke.mutate()}>
        {text.revoke}
      </Button>
      <ErrorNote error={revoke.error} />
    </>
  )
}

function InviteDialog({
  open,
  close,
  done,
}: {
  open: boolean
  close: () => void
  done: (invitation: CreatedInvitation) => void
}) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<User['role']>('member')
  const invite = useInvite(done)
  return (
    <Dialog title={text.inviteTitle} open={open} close={close} foot={null}>
      <Form
        submit={() => invite.mutate({ email, role })}
        submitLabel={text.inviteButton}
        busy={invite.isPending}
        error={invite.error}
      >
        <TextField
          label={text.email}
          type="email"
          value={email}
          change={setEmail}
          error={issueOf(invite.error, 'email')}
        />
        <SelectField
          label={text.role}
          hint={text.rolesHint}
          value={role}
          change={(value) => setRole(value as User['role'])}
          choices={roles.map((value) => ({ value, label: text.roles[value] }))}
        />
      </Form>
    </Dialog>
  )
}
