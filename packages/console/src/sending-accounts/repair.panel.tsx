import type { SendingAccount, SmtpServer } from '@overture/sdk'
import { useState } from 'react'
import {
  CheckField,
  Form,
  Pair,
  ProofField,
  findProofIssue,
  toConfirmation,
  TextField,
} from '../platform/form/index.ts'
import { Button, findIssue, Panel } from '../platform/ui/index.ts'
import { useUpdateSender } from './senders.actions.ts'
import { text } from './senders.messages.ts'
import { ServerForm, type ServerFields } from './servers-form.tsx'

interface Fields {
  smtp: ServerFields
  imap: ServerFields
  password: string
  /** Whether the incoming mail has another password. */
  apart: boolean
  imapPassword: string
}

/** Changes the servers or the password of an account in place. A password that is left empty is kept. */
export function Repair({
  sender,
  checking,
  saved,
  close,
}: {
  sender: SendingAccount
  checking: boolean
  saved: () => void
  close: () => void
}) {
  const [fields, setFields] = useState<Fields>(() => ({
    smtp: toFields(sender.smtp),
    imap: toFields(sender.imap),
    password: '',
    apart: false,
    imapPassword: '',
  }))
  const [proof, setProof] = useState('')
  const update = useUpdateSender(sender.id, saved)
  const set = (part: Partial<Fields>): void => setFields((before) => ({ ...before, ...part }))
  const issue = (path: string) => findIssue(update.error, path)
  const submit = (): void =>
    update.mutate({ ...toInput(fields, sender), ...(proof !== '' && { confirm: toConfirmation(proof) }) })
  return (
    <Panel title={text.repair}>
      <Form
        operation="updateSendingAccount"
        guarded
        submit={submit}
        submitLabel={text.repairSave}
        busy={update.isPending || checking}
        error={update.error}
        beside={
          <>
            <Button onClick={close}>{text.cancel}</Button>
            <span role="status">{checking ? text.verifying : ''}</span>
          </>
        }
      >
        <ServerForm kind="smtp" value={fields.smtp} change={(smtp) => set({ smtp })} issue={issue} />
        <ServerForm kind="imap" value={fields.imap} change={(imap) => set({ imap })} issue={issue} />
        <Passwords fields={fields} set={set} issue={issue} />
        {findProofIssue(update.error) !== undefined && (
          <ProofField value={proof} change={setProof} error={update.error} />
        )}
      </Form>
    </Panel>
  )
}

function Passwords({
  fields,
  set,
  issue,
}: {
  fields: Fields
  set: (part: Partial<Fields>) => void
  issue: (path: string) => string | undefined
}) {
  const { password, apart, imapPassword } = fields
  return (
    <>
      <Pair>
        <TextField
          label={apart ? text.smtpPassword : text.newPassword}
          type="password"
          autoComplete="off"
          hint={text.keepPassword}
          value={password}
          change={(value) => set({ password: value })}
          error={issue('smtp.password') ?? (apart ? undefined : issue('imap.password'))}
        />
        {apart && (
          <TextField
            label={text.imapPassword}
            type="password"
            autoComplete="off"
            hint={text.keepPassword}
            value={imapPassword}
            change={(value) => set({ imapPassword: value })}
            error={issue('imap.password')}
          />
        )}
      </Pair>
      <CheckField label={text.apart} checked={apart} change={(checked) => set({ apart: checked })} />
    </>
  )
}

function toFields(server: SmtpServer | null): ServerFields {
  if (server === null) return { host: '', port: null, security: 'tls', username: '' }
  const { host, port, security, username } = server
  return { host, port, security, username: username ?? '' }
}

function toInput({ smtp, imap, password, apart, imapPassword }: Fields, sender: SendingAccount) {
  const server = ({ host, port, security, username }: ServerFields, secret: string, known: SmtpServer | null) => ({
    host: host.trim(),
    port: port ?? 0,
    security,
    // An account without a username keeps none.
    username: username.trim() || (known === null ? sender.email : null),
    ...(secret !== '' && { password: secret }),
  })
  return {
    smtp: server(smtp, password, sender.smtp),
    imap: imap.host.trim() === '' ? null : server(imap, apart ? imapPassword : password, sender.imap),
  }
}
