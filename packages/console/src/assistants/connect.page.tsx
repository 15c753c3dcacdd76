import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { CheckGroup, Form, ProofField, SelectField, toConfirmation } from '../platform/form/index.ts'
import { Button, Facts, Note, Shown } from '../platform/ui/index.ts'
import { Card, SignInPanel, SingleSignOn, useSignInState } from '../users/index.ts'
import { text } from './connect.messages.ts'
import { type AccessRequest, type AssistantScope, useAccessAnswer, useAccessRequest } from './connect.queries.ts'

/** Asks a user whether an assistant may have access. The request is known by a cookie of this browser, never by the address. */
export function ConnectPage() {
  const problem = useRouterState({ select: ({ location }) => (location.search as { problem?: string }).problem })
  return problem === undefined ? <Connect /> : <NotConnected problem={problem} />
}

/** Why the server refused the request. It names one of a few reasons, so that a link can't show its own text here. */
function NotConnected({ problem }: { problem: string }) {
  const problems: Readonly<Record<string, string>> = text.problems
  return (
    <Card title={text.title} lead={text.notConnected}>
      <Note tone="warn" role="alert">
        <p>{Object.hasOwn(problems, problem) ? problems[problem] : text.problems.invalid}</p>
      </Note>
    </Card>
  )
}

function Connect() {
  const state = useSignInState()
  const request = useAccessRequest(state.data?.signedIn === true)
  const account = request.data?.account ?? ''
  return (
    <Card title={text.title} lead={account === '' ? text.leadUnknown : text.lead(account)}>
      <Shown of={state}>
        {({ signedIn, methods }) =>
          signedIn ? (
            <Shown of={request}>{(asked) => <Question asked={asked} />}</Shown>
          ) : (
            <>
              <p>{text.signIn}</p>
              {methods.includes('password') && <SignInPanel done={() => void state.refetch()} />}
              {methods.includes('oidc') && <SingleSignOn to="/app/connect" />}
            </>
          )
        }
      </Shown>
    </Card>
  )
}

function Question({ asked }: { asked: AccessRequest }) {
  const { client, environments } = asked
  const [environment, setEnvironment] = useState(environments[0]!.environment)
  const possible = environments.find((one) => one.environment === environment)!.scopes
  const choices = (['write', 'send'] as const).filter((scope) => possible.includes(scope))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [proof, setProof] = useState('')
  const answer = useAccessAnswer()
  const writes = chosen.includes('write') || chosen.includes('send')
  const scopes: AssistantScope[] = [
    'read',
    ...(writes ? (['write'] as const) : []),
    ...(chosen.includes('send') ? (['send'] as const) : []),
  ]
  const send = (allow: boolean): void =>
    answer.mutate({
      id: asked.id,
      allow,
      environment,
      scopes,
      ...(proof !== '' && { confirm: toConfirmation(proof) }),
    })
  // The scheme of an app opens the app and leaves this page as it is.
  if (answer.isSuccess) return <p role="status">{answer.variables.allow ? text.allowed : text.denied}</p>
  return (
    <>
      <Facts
        items={[
          { label: text.client, value: client.name },
          { label: text.host, value: client.host },
          { label: text.answersTo, value: client.redirectHost },
          { label: text.account, value: asked.account },
          { label: text.user, value: asked.user },
        ]}
      />
      <Note>
        <p>{text.namedBy}</p>
        <p>{text.always}</p>
      </Note>
      <Form submit={() => send(true)} submitLabel={text.allow} busy={answer.isPending} error={answer.error}>
        <SelectField
          label={text.environment}
          value={environment}
          change={(value) => setEnvironment(value as 'live' | 'test')}
          choices={environments.map((one) => ({ value: one.environment, label: text.environments[one.environment] }))}
        />
        {choices.length > 0 && (
          <CheckGroup
            label={text.canDo}
            choices={choices.map((value) => ({ value, label: text.scope[value] }))}
            value={chosen}
            change={setChosen}
          />
        )}
        {environment === 'live' && writes && <ProofField value={proof} change={setProof} error={answer.error} />}
      </Form>
      <Button busy={answer.isPending} onClick={() => send(false)}>
        {text.deny}
      </Button>
      <p>{text.later}</p>
    </>
  )
}
