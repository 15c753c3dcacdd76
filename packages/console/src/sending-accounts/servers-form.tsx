import type { MailSecurity } from '@overture/sdk'
import { NumberField, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { Panel } from '../platform/ui/index.ts'
import { text } from './senders.messages.ts'

export interface ServerFields {
  host: string
  port: number | null
  security: MailSecurity
  username: string
}

const securities = ['tls', 'starttls', 'none'] as const

/** The server that sends mail, or the server that receives it. */
export function ServerForm({
  kind,
  value,
  change,
  issue,
}: {
  kind: 'smtp' | 'imap'
  value: ServerFields
  change: (value: ServerFields) => void
  issue: (path: string) => string | undefined
}) {
  const smtp = kind === 'smtp'
  return (
    <Panel title={smtp ? text.smtp : text.imap}>
      <Pair>
        <TextField
          label={smtp ? text.smtpServer : text.imapServer}
          value={value.host}
          change={(host) => change({ ...value, host })}
          error={issue(`${kind}.host`)}
        />
        <NumberField
          label={smtp ? text.smtpPort : text.imapPort}
          value={value.port}
          change={(port) => change({ ...value, port })}
          error={issue(`${kind}.port`)}
        />
        <SelectField
          label={text.security}
          value={value.security}
          choices={securities.map((one) => ({ value: one, label: text.securities[one] }))}
          change={(security) => change({ ...value, security: security as MailSecurity })}
        />
        <TextField
          label={text.username}
          autoComplete="off"
          value={value.username}
          change={(username) => change({ ...value, username })}
        />
      </Pair>
    </Panel>
  )
}
