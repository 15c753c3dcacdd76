import type { FoundServer, SendingAccount, SendingAccountDiscovery, Verification } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Form, Pair, ProofField, proofIssueOf, proofOf, TextField } from '../platform/form/index.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, ErrorNote, issueOf, LinkButton, Note, Page, Panel, Row } from '../platform/ui/index.ts'
import { AskAdministrator } from './ask-administrator.panel.tsx'
import { Checks } from './checks.tsx'
import { useDiscover } from './discover.queries.ts'
import { useAuthorize, useCreateSender, useUpdateSender, useVerify } from './senders.actions.ts'
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
      smtp: fieldsOf(answer.smtp, answer.email),
      imap: fieldsOf(answer.imap, answer.email),
    }))
  }
  const { find, busy, error } = useDiscover(email.trim(), take)
  const addressError = issueOf(error, 'email')
  return (
    <Page title={text.connect} lead={text.connectLead}>
      <Form
        narrow
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
          {found.hint !== null && (
            <Note>
              <p>{found.hint}</p>
            </Note>
          )}
          <OAuth found={found} />
          {found.provider === 'microsoft' && found.oauth.available && (
            <AskAdministrator key={`administrator of ${found.email}`} email={found.email} />
          )}
          <Connect key={found.email} email={found.email} fields={fields} change={setFields} />
        </>
      )}
    </Page>
  )
}

function fieldsOf(server: FoundServer | null, email: string): ServerFields {
  return server === null ? { ...noServer, username: email } : { ...server }
}

function OAuth({ found }: { found: SendingAccountDiscovery }) {
  const authorize = useAuthorize()
  const paths = usePaths()
  const { provider, oauth, email } = found
  if (provider !== 'google' && provider !== 'microsoft') return null
  return (
    <Row>
      <Button
        look="primary"
        disabledReason={oauth.available ? null : oauth.reason}
        busy={authorize.isPending}
        onClick={() => authorize.mutate({ provider, email, returnPath: paths.senders })}
      >
        {provider === 'google' ? text.withGoogle : text.withMicrosoft}
      </Button>
      <ErrorNote error={authorize.error} />
    </Row>
  )
}

function Connect({ email, fields, change }: { email: string; fields: Fields; change: (fields: Fields) => void }) {
  const { zone } = useTenantTime()
  const [sender, setSender] = useState<SendingAccount | null>(null)
  const [proof, setProof] = useState('')
  const verify = useVerify()
  const create = useCreateSender((made) => {
    setSender(made)
    verify.mutate(made.id)
  })
  const update = useUpdateSender(sender?.id ?? '', () => sender && verify.mutate(sender.id))
  const body = inputOf(fields)
  const submit = (): void =>
    sender === null
      ? create.mutate({ email, timezone: zone, ...body, fromName: fields.fromName || email.split('@')[0]! })
      : update.mutate({
          ...body,
          ...(fields.fromName && { fromName: fields.fromName }),
          ...(proof !== '' && { confirm: proofOf(proof) }),
        })
  const error = create.error ?? update.error ?? verify.error
  const issue = (path: string) => issueOf(error, path)
  return (
    <Form
      submit={submit}
      submitLabel={text.connectButton}
      busy={create.isPending || update.isPending || verify.isPending}
      error={error}
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
      <ServerForm kind="smtp" value={fields.smtp} change={(smtp) => change({ ...fields, smtp })} issue={issue} />
      <ServerForm kind="imap" value={fields.imap} change={(imap) => change({ ...fields, imap })} issue={issue} />
      {proofIssueOf(update.error) !== undefined && <ProofField value={proof} change={setProof} error={update.error} />}
      {verify.data !== undefined && <Checked verification={verify.data} sender={sender} />}
    </Form>
  )
}

function Checked({ verification, sender }: { verification: Verification; sender: SendingAccount | null }) {
  const paths = usePaths()
  return (
    <Panel title={text.checks}>
      <Checks verification={verification} />
      <p>{verification.ok ? text.connectedText : text.problems}</p>
      {sender !== null && (
        <Row>
          <LinkButton to={paths.sender(sender.id)}>{text.toSender}</LinkButton>
        </Row>
      )}
    </Panel>
  )
}

function inputOf({ smtp, imap, password }: Fields) {
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
