import { useState } from 'react'
import { Form, TextField } from '../platform/form/index.ts'
import { errorText } from '../platform/ui/index.ts'
import { asksCode, useCodeAsked } from './code-asked.ts'
import { useSignIn } from './session.actions.ts'
import { text } from './users.messages.ts'

/** Asks for address, password and, if needed, a code. */
export function SignInPanel({ email: known, done }: { email?: string | undefined; done: () => void }) {
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const signIn = useSignIn()
  const { error } = signIn
  const needsCode = useCodeAsked(error)
  const [tries, setTries] = useState(0)
  // Once the field is shown, an empty code is reported.
  const codeMissing = asksCode(error) && tries > 0
  const submit = (): void => {
    setTries(needsCode ? tries + 1 : tries)
    signIn.mutate({ email, password, ...(needsCode && code !== '' && { code }) }, { onSuccess: done })
  }
  return (
    <Form submit={submit} submitLabel={text.signIn} busy={signIn.isPending} error={asksCode(error) ? null : error}>
      <TextField label={text.email} type="email" autoComplete="username" required value={email} change={setEmail} />
      <TextField
        label={text.password}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        change={setPassword}
      />
      {needsCode && (
        <TextField
          label={text.code}
          hint={text.codeHint}
          autoComplete="one-time-code"
          autoFocus
          value={code}
          change={setCode}
          error={codeMissing ? errorText(error) : undefined}
        />
      )}
    </Form>
  )
}
