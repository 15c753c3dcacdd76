import type { ConnectTenantInput, OAuthProvider, TenantConnection } from '@overture/sdk'
import { useState } from 'react'
import { AreaField, Form, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { findIssue, Panel } from '../platform/ui/index.ts'
import { useConnectOrganization } from './organizations.actions.ts'
import { text } from './organizations.messages.ts'
import { providerText } from './senders.messages.ts'

type Credential = 'secret' | 'certificate'

interface Fields {
  tenantId: string
  clientId: string
  credential: Credential
  clientSecret: string
  privateKey: string
  certificate: string
  serviceAccountKey: string
  adminEmail: string
}

const empty: Fields = {
  tenantId: '',
  clientId: '',
  credential: 'secret',
  clientSecret: '',
  privateKey: '',
  certificate: '',
  serviceAccountKey: '',
  adminEmail: '',
}

/** The login of an organization, with the fields of its provider. */
export function ConnectOrganization({ done }: { done: (connection: TenantConnection) => void }) {
  const [provider, setProvider] = useState<OAuthProvider>('microsoft')
  const [fields, setFields] = useState(empty)
  const connect = useConnectOrganization((connection) => {
    // Secrets don't stay on the page.
    setFields(empty)
    done(connection)
  })
  const parts = {
    fields,
    change: (part: Partial<Fields>) => setFields({ ...fields, ...part }),
    issue: (path: string) => findIssue(connect.error, path),
  }
  return (
    <Panel title={text.connectTitle}>
      <p>{text.guide}</p>
      <Form
        operation="connectTenant"
        submit={() => connect.mutate(toInput(provider, fields))}
        submitLabel={text.connect}
        busy={connect.isPending}
        error={connect.error}
      >
        <SelectField
          label={text.provider}
          value={provider}
          change={(value) => setProvider(value === 'google' ? 'google' : 'microsoft')}
          choices={(['microsoft', 'google'] as const).map((value) => ({ value, label: providerText[value] }))}
        />
        {provider === 'microsoft' ? <MicrosoftFields {...parts} /> : <GoogleFields {...parts} />}
      </Form>
    </Panel>
  )
}

interface FieldsProps {
  fields: Fields
  change: (part: Partial<Fields>) => void
  issue: (path: string) => string | undefined
}

function MicrosoftFields({ fields, change, issue }: FieldsProps) {
  return (
    <>
      <Pair>
        <TextField
          label={text.tenantId}
          value={fields.tenantId}
          change={(tenantId) => change({ tenantId })}
          error={issue('tenantId')}
        />
        <TextField
          label={text.clientId}
          value={fields.clientId}
          change={(clientId) => change({ clientId })}
          error={issue('clientId')}
        />
      </Pair>
      <SelectField
        label={text.credential}
        value={fields.credential}
        change={(value) => change({ credential: value === 'certificate' ? 'certificate' : 'secret' })}
        choices={(['secret', 'certificate'] as const).map((value) => ({ value, label: text.credentials[value] }))}
        error={issue('certificate')}
      />
      {fields.credential === 'secret' ? (
        <TextField
          label={text.clientSecret}
          type="password"
          autoComplete="off"
          hint={text.secretHint}
          value={fields.clientSecret}
          change={(clientSecret) => change({ clientSecret })}
          error={issue('clientSecret')}
        />
      ) : (
        <Pair>
          <AreaField
            label={text.privateKey}
            hint={text.secretHint}
            value={fields.privateKey}
            change={(privateKey) => change({ privateKey })}
            error={issue('certificate.privateKey')}
          />
          <AreaField
            label={text.certificate}
            value={fields.certificate}
            change={(certificate) => change({ certificate })}
            error={issue('certificate.certificate')}
          />
        </Pair>
      )}
    </>
  )
}

function GoogleFields({ fields, change, issue }: FieldsProps) {
  return (
    <>
      <AreaField
        label={text.serviceAccountKey}
        hint={text.secretHint}
        value={fields.serviceAccountKey}
        change={(serviceAccountKey) => change({ serviceAccountKey })}
        error={issue('serviceAccountKey')}
      />
      <TextField
        label={text.adminEmail}
        type="email"
        hint={text.adminEmailHint}
        value={fields.adminEmail}
        change={(adminEmail) => change({ adminEmail })}
        error={issue('adminEmail')}
      />
    </>
  )
}

function toInput(provider: OAuthProvider, fields: Fields): ConnectTenantInput {
  if (provider === 'google') {
    const { serviceAccountKey, adminEmail } = fields
    return { provider, serviceAccountKey, adminEmail: adminEmail.trim() }
  }
  const { credential, clientSecret, privateKey, certificate } = fields
  const ids = { provider, tenantId: fields.tenantId.trim(), clientId: fields.clientId.trim() }
  return credential === 'secret' ? { ...ids, clientSecret } : { ...ids, certificate: { privateKey, certificate } }
}
