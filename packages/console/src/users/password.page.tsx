import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { findIssue, Link, Note, useGo } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { asksCode, useCodeAsked } from './code-asked.ts'
import { useResetPassword } from './session.actions.ts'
import { text } from './users.messages.ts'

/** The token is in the fragment of the link, which is not sent to any server or log. */
export function PasswordPage() {
  const [token] = useState(() => location.hash.slice(1))
  const [newPassword, setNewPassword] = useState('')
  const [code, setCode] = useState('')
  const reset = useResetPassword()
  const needsCode = useCodeAsked(reset.error)
  const go = useGo()
  const submit = (): void =>
    reset.mutate(
      { token, newPassword, ...(needsCode && code !== '' && { code }) },
      { onSuccess: () => go('/app/', { replace: true }) },
    )
  return (
    <Card title={text.resetTitle} lead={text.resetLead}>
      {token === '' && (
        <Note tone="warn" role="alert">
          <p>{text.needsResetLink}</p>
        </Note>
      )}
      <Form
        submit={submit}
        submitLabel={text.savePassword}
        busy={reset.isPending}
        error={asksCode(reset.error) ? null : reset.error}
      >
        <TextField
          label={text.newPassword}
          type="password"
          autoComplete="new-password"
          hint={text.passwordHint}
          value={newPassword}
          change={setNewPassword}
          error={findIssue(reset.error, 'newPassword')}
        />
        {needsCode && (
          <TextField
            label={text.code}
            hint={text.codeHint}
            autoComplete="one-time-code"
            value={code}
            change={setCode}
          />
        )}
      </Form>
      <Link to="/app/sign-in">{text.signIn}</Link>
    </Card>
  )
}
