import type { CreatedInvitation, Invitation, User } from '@overture/sdk'
import { useState } from 'react'
import { Form, ProofField, toConfirmation, SelectField, TextField } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import {
  Badge,
  Button,
  Dialog,
  Empty,
  ErrorNote,
  findIssue,
  Panel,
  Row,
  ShownOnce,
  Soft,
} from '../platform/ui/index.ts'
import { usePermissionReason, useRole } from '../platform/session/permission.ts'
import { SettingsPage } from '../settings/index.ts'
import { text } from './team.messages.ts'
import { roles, UserMenu } from './user-menu.panel.tsx'
import { invitationList, useInvite, useRevokeInvitation, userList } from './team.queries.ts'

/** The team and its roles. */
export function TeamPage() {
  const [inviting, setInviting] = useState(false)
  const [made, setMade] = useState<CreatedInvitation | null>(null)
  return (
    <SettingsPage tab="team">
      <Row>
        <Button look="primary" operation="createInvitation" onClick={() => setInviting(true)}>
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
          empty={<Empty title={text.noUsers} />}
        />
      </Panel>
      <Panel flush title={text.invitations}>
        <Invitations />
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
        about={made === null ? '' : made.mailed ? text.inviteMailed(made.email) : text.inviteNotMailed(made.email)}
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

function Invitations() {
  const reason = usePermissionReason('listInvitations')
  // A request that the server refuses would be an error of the page.
  if (useRole() === null) return null
  if (reason !== null) return <Empty title={text.invitationsHidden}>{reason}</Empty>
  return (
    <ListTable
      label={text.invitations}
      reading={invitationList}
      columns={invitationColumns}
      rowKey={({ id }) => id}
      empty={<Empty title={text.none} />}
    />
  )
}

function Revoke({ invitation }: { invitation: Invitation }) {
  const revoke = useRevokeInvitation(invitation.id)
  return (
    <>
      <Button small operation="deleteInvitation" busy={revoke.isPending} onClick={() => revoke.mutate()}>
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
  const [proof, setProof] = useState('')
  const invite = useInvite(done)
  const confirm = role === 'owner' ? { confirm: toConfirmation(proof) } : {}
  return (
    <Dialog title={text.inviteTitle} open={open} close={close} foot={null}>
      <Form
        submit={() => invite.mutate({ email, role, ...confirm })}
        submitLabel={text.inviteButton}
        busy={invite.isPending}
        error={invite.error}
      >
        <TextField
          label={text.email}
          type="email"
          value={email}
          change={setEmail}
          error={findIssue(invite.error, 'email')}
        />
        <SelectField
          label={text.role}
          hint={text.rolesHint}
          value={role}
          change={(value) => setRole(value as User['role'])}
          choices={roles.map((value) => ({ value, label: text.roles[value] }))}
        />
        {role === 'owner' && <ProofField value={proof} change={setProof} error={invite.error} />}
      </Form>
    </Dialog>
  )
}
