import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { issueOf, Link, Note, useGo } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { useAccept } from './session.actions.ts'
import { useSignInState } from './session.queries.ts'
import { SingleSignOn } from './single-sign-on.tsx'
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
  return (
    <Card title={invited ? text.invited : text.setup} lead={invited ? text.invitedLead : text.setupLead}>
      {token === '' && (
        <Note tone="warn" role="alert">
          <p>{text.noToken}</p>
          <p>{text.restart}</p>
        </Note>
      )}
      {invited && methods.includes('oidc') && <SingleSignOn to="/app/" />}
      {methods.includes('password') && (
        <Form submit={submit} submitLabel={text.createAccount} busy={accept.isPending} error={accept.error}>
          {!invited && (
            <TextField
              label={text.email}
              type="email"
              autoComplete="username"
              value={email}
              change={set('email')}
              error={issueOf(accept.error, 'email')}
            />
          )}
          <TextField
            label={text.name}
            autoComplete="name"
            value={fields.name}
            change={set('name')}
            error={issueOf(accept.error, 'name')}
          />
          <TextField
            label={text.password}
            type="password"
            autoComplete="new-password"
            hint={text.passwordHint}
            value={fields.password}
            change={set('password')}
            error={issueOf(accept.error, 'password')}
          />
        </Form>
      )}
      <Link to="/app/sign-in">{text.signIn}</Link>
    </Card>
  )
}
