import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { CopyButton, findIssue, Link, Note, Row, Shown } from '../platform/ui/index.ts'
import { Card } from './card.tsx'
import { useAskForReset } from './session.actions.ts'
import { useSignInState } from './session.queries.ts'
import { text } from './users.messages.ts'

export function ForgotPage() {
  const state = useSignInState()
  return (
    <Card title={text.forgotTitle} lead={state.data?.passwordReset === false ? text.forgotByHand : text.forgotLead}>
      <Shown of={state}>{({ passwordReset }) => (passwordReset ? <AskByMail /> : <AskOperator />)}</Shown>
      <Link to="/app/sign-in">{text.signIn}</Link>
    </Card>
  )
}

function AskByMail() {
  const [email, setEmail] = useState('')
  const ask = useAskForReset()
  return (
    <>
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
          error={findIssue(ask.error, 'email')}
        />
      </Form>
    </>
  )
}

/** Without system mail only the operator can make a link, on the server. */
function AskOperator() {
  return (
    <>
      <p>{text.operatorText}</p>
      <Row>
        <CopyButton label={text.copyInstruction} value={text.operatorInstruction(location.origin)} />
      </Row>
    </>
  )
}
