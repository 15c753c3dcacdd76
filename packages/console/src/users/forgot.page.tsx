import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { issueOf, Link, Note } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { useAskForReset } from './session.actions.ts'
import { text } from './users.messages.ts'

export function ForgotPage() {
  const [email, setEmail] = useState('')
  const ask = useAskForReset()
  return (
    <Card title={text.forgotTitle} lead={text.forgotLead}>
      {ask.isSuccess && (
        <Note role="status">
          <p>{text.linkAsked}</p>
        </Note>
      )}
      <Form submit={() => ask.mutate({ email })} submitLabel={text.askForLink} busy={ask.isPending} error={ask.error}>
        <TextField
          label={text.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          change={setEmail}
          error={issueOf(ask.error, 'email')}
        />
      </Form>
      <Link to="/app/sign-in">{text.signIn}</Link>
    </Card>
  )
}
