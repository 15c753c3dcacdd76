import type { FoundServer, SendingAccount, SendingAccountDiscovery, Verification } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Form, Pair, ProofField, findProofIssue, toConfirmation, TextField } from '../platform/form/index.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Details, findIssue, LinkButton, Note, Page, Panel, Row } from '../platform/ui/index.ts'
import { AskAdministrator } from './ask-administrator.panel.tsx'
import { Checks } from './checks.tsx'
import { useDiscover } from './discover.queries.ts'
import { ProviderGuide, TestNote } from './guide.panel.tsx'
import { hidesServers } from './guides.ts'
import { useCreateSender, useUpdateSender, useVerify } from './senders.actions.ts'
import { text } from './senders.messages.ts'
import { ServerForm, type ServerFields } from './servers-form.tsx'

interface Fields {
  fromName: string
  password: string
  smtp: ServerFields
  imap: ServerFields
}

const noServer: ServerFields = { host: '', port: null, security: 'tls', username: '' }

/** Connects a mailbox: an address, its detected servers, a password, and five checks. */
export function ConnectPage() {
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<SendingAccountDiscovery | null>(null)
  const [fields, setFields] = useState<Fields>({ fromName: '', password: '', smtp: noServer, imap: noServer })
  const take = (answer: SendingAccountDiscovery): void => {
    setFound(answer)
    setFields((now) => ({
      ...now,
      smtp: toFields(answer.smtp, answer.email),
      imap: toFields(answer.imap, answer.email),
    }))
  }
  const { find, busy, error } = useDiscover(email.trim(), take)
  const addressError = findIssue(error, 'email')
  return (
    <Page title={text.connect} lead={text.connectLead}>
      <TestNote />
      <Form
        narrow
        operation="discoverSendingAccount"
        submit={find}
        submitLabel={text.find}
        busy={busy}
        error={error}
        beside={<span role="status">{busy ? text.finding : found ? text.foundBy[found.source] : ''}</span>}
      >
        <TextField
          label={text.address}
          type="email"
          autoComplete="email"
          value={email}
          change={setEmail}
          error={addressError}
        />
      </Form>
      {found !== null && (
        <>
          <ProviderGuide key={`guide ${found.email}`} found={found} />
          {found.provider === 'microsoft' && found.oauth.available && (
            <AskAdministrator key={`administrator of ${found.email}`} email={found.email} />
          )}
          <Connect key={found.email} found={found} fields={fields} change={setFields} />
        </>
      )}
    </Page>
  )
}

function toFields(server: FoundServer | null, email: string): ServerFields {
  return server === null ? { ...noServer, username: email } : { ...server }
}

interface ConnectProps {
  found: SendingAccountDiscovery
  fields: Fields
  change: (fields: Fields) => void
}

function Connect({ found, fields, change }: ConnectProps) {
  const { email } = found
  const { zone } = useTenantTime()
  const [sender, setSender] = useState<SendingAccount | null>(null)
  const [proof, setProof] = useState('')
  const verify = useVerify()
  const create = useCreateSender((made) => {
    setSender(made)
    verify.mutate(made.id)
  })
  const update = useUpdateSender(sender?.id ?? '', () => sender && verify.mutate(sender.id))
  const body = toInput(fields)
  const submit = (): void =>
    sender === null
      ? create.mutate({ email, timezone: zone, ...body, fromName: fields.fromName || email.split('@')[0]! })
      : update.mutate({
          ...body,
          ...(fields.fromName && { fromName: fields.fromName }),
          ...(proof !== '' && { confirm: toConfirmation(proof) }),
        })
  const error = create.error ?? update.error ?? verify.error
  const issue = (path: string) => findIssue(error, path)
  return (
    <Form
      operation="createSendingAccount"
      submit={submit}
      submitLabel={text.connectButton}
      busy={create.isPending || update.isPending || verify.isPending}
      error={existingId(create.error) === null ? error : null}
      beside={<span role="status">{verify.isPending ? text.connecting : ''}</span>}
    >
      <Pair>
        <TextField
          label={text.fromName}
          hint={text.fromNameHint}
          value={fields.fromName}
          change={(fromName) => change({ ...fields, fromName })}
          error={issue('fromName')}
        />
        <TextField
          label={text.password}
          type="password"
          autoComplete="off"
          hint={text.passwordHint}
          value={fields.password}
          change={(password) => change({ ...fields, password })}
          error={issue('smtp.password')}
        />
      </Pair>
      <Servers hidden={hidesServers(found)} fields={fields} change={change} issue={issue} />
      {sender === null && <Existing email={email} error={create.error} />}
      {findProofIssue(update.error) !== undefined && (
        <ProofField value={proof} change={setProof} error={update.error} />
      )}
      {verify.data !== undefined && sender !== null && (
        <Checked
          verification={verify.data}
          sender={update.data ?? sender}
          busy={verify.isPending}
          again={() => verify.mutate(sender.id)}
        />
      )}
    </Form>
  )
}

interface ServersProps {
  /** Whether the servers are known, so that they are shown only on request. */
  hidden: boolean
  fields: Fields
  change: (fields: Fields) => void
  issue: (path: string) => string | undefined
}

function Servers({ hidden, fields, change, issue }: ServersProps) {
  const forms = (
    <>
      <ServerForm kind="smtp" value={fields.smtp} change={(smtp) => change({ ...fields, smtp })} issue={issue} />
      <ServerForm kind="imap" value={fields.imap} change={(imap) => change({ ...fields, imap })} issue={issue} />
    </>
  )
  if (!hidden) return forms
  const wrong = ['smtp.host', 'smtp.port', 'imap.host', 'imap.port'].some((path) => issue(path) !== undefined)
  return (
    <Details label={text.advanced} open={wrong}>
      {forms}
    </Details>
  )
}

/** Leads to the account that already has this address, where its servers and password can be changed. */
function Existing({ email, error }: { email: string; error: unknown }) {
  const paths = usePaths()
  const id = existingId(error)
  if (id === null) return null
  return (
    <Note tone="warn">
      <p>{text.exists(email)}</p>
      <Row>
        <LinkButton look="primary" to={`${paths.sender(id)}?change=servers`}>
          {text.repair}
        </LinkButton>
        <LinkButton to={paths.sender(id)}>{text.openIt}</LinkButton>
      </Row>
    </Note>
  )
}

function existingId(error: unknown): string | null {
  if (!ApiError.is(error, 'CONFLICT')) return null
  const { sendingAccountId } = (error.details ?? {}) as { sendingAccountId?: string }
  return sendingAccountId ?? null
}

interface CheckedProps {
  verification: Verification
  sender: SendingAccount
  busy: boolean
  again: () => void
}

function Checked({ verification, sender, busy, again }: CheckedProps) {
  const paths = usePaths()
  return (
    <Panel title={text.checks}>
      <Checks verification={verification} servers={sender} />
      <p>{verification.ok ? text.connectedText : text.problems}</p>
      <Row>
        <LinkButton to={paths.sender(sender.id)}>{text.toSender}</LinkButton>
        <Button busy={busy} onClick={again}>
          {text.checkAgain}
        </Button>
      </Row>
    </Panel>
  )
}

function toInput({ smtp, imap, password }: Fields) {
  const secret = password === '' ? {} : { password }
  const server = ({ host, port, security, username }: ServerFields) => ({
    host,
    port: port ?? 0,
    security,
    username: username || null,
    ...secret,
  })
  return { smtp: server(smtp), imap: imap.host === '' ? null : server(imap) }
}
