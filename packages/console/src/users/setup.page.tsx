import type { LinkDescription } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { errorText, findIssue, Link, Note, useGo } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { useAccept } from './session.actions.ts'
import { useInvitation, useSignInState } from './session.queries.ts'
import { SingleSignOn } from './single-sign-on.tsx'
import { text as teamText } from './team.messages.ts'
import { text } from './users.messages.ts'

/** The token is in the fragment of the link, which is not sent to any server or log. */
export function SetupPage() {
  const [token] = useState(() => location.hash.slice(1))
  const invited = location.pathname.endsWith('/accept')
  const [fields, setFields] = useState({ email: '', name: '', password: '' })
  const accept = useAccept()
  const methods = useSignInState().data?.methods ?? ['password']
  const go = useGo()
  const set = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value })
  const { email, ...rest } = fields
  const submit = (): void =>
    accept.mutate({ token, ...rest, ...(!invited && { email }) }, { onSuccess: () => go('/app/', { replace: true }) })
  const invitation = useInvitation(invited ? token : '')
  const isGone = invited && token !== '' && invitation.isError
  return (
    <Card
      title={invited ? pageTitle(invitation.data) : text.setup}
      lead={invited ? pageLead(invitation.data) : text.setupLead}
    >
      {token === '' && (
        <Note tone="warn" role="alert">
          <p>{invited ? text.noInvitation : text.noToken}</p>
          {!invited && <p>{text.restart}</p>}
        </Note>
      )}
      {isGone && (
        <Note tone="warn" role="alert">
          <p>{asksForLink(invitation.error) ? text.linkGone : errorText(invitation.error)}</p>
        </Note>
      )}
      {invited && methods.includes('oidc') && <SingleSignOn to="/app/" />}
      {methods.includes('password') && !isGone && (
        <Form submit={submit} submitLabel={text.createAccount} busy={accept.isPending} error={accept.error}>
          {invitation.data && (
            <TextField
              label={text.email}
              type="email"
              autoComplete="username"
              value={invitation.data.email ?? ''}
              disabled
              change={() => undefined}
            />
          )}
          {!invited && (
            <TextField
              label={text.email}
              type="email"
              autoComplete="username"
              value={email}
              change={set('email')}
              error={findIssue(accept.error, 'email')}
            />
          )}
          <TextField
            label={text.name}
            autoComplete="name"
            value={fields.name}
            change={set('name')}
            error={findIssue(accept.error, 'name')}
          />
          <TextField
            label={text.password}
            type="password"
            autoComplete="new-password"
            hint={text.passwordHint}
            value={fields.password}
            change={set('password')}
            error={findIssue(accept.error, 'password')}
          />
        </Form>
      )}
      <Link to="/app/sign-in">{text.signIn}</Link>
    </Card>
  )
}

function pageTitle(invitation: LinkDescription | undefined): string {
  return invitation === undefined ? text.invited : text.invitedTo(invitation.accountName || text.noAccountName)
}

function pageLead(invitation: LinkDescription | undefined): string {
  if (invitation === undefined) return text.invitedLead
  const { accountName, invitedBy } = invitation
  const account = accountName || text.noAccountName
  const role = teamText.roles[invitation.role ?? 'viewer']
  const who = invitedBy === null ? text.invitedAs(account, role) : text.invitedBy(invitedBy, account, role)
  return `${who} ${text.invitedLead}`
}

function asksForLink(error: unknown): boolean {
  return ApiError.is(error) && error.status === 401
}
