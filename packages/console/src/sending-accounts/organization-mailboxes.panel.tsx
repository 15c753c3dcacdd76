import type { TenantConnection, TenantMailboxResults } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { AreaField, Form, ProofField, findProofIssue, toConfirmation, TextField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Badge, Grow, findIssue, Lines, Link, Panel } from '../platform/ui/index.ts'
import { Checks } from './checks.tsx'
import { mailboxesIn } from './mailboxes-in.ts'
import { organizationName, useAddMailboxes, useVerifyOrganization } from './organizations.actions.ts'
import { outcomeText, text } from './organizations.messages.ts'

/** Logs in to one mailbox of an organization. */
export function CheckMailbox({ connection }: { connection: TenantConnection }) {
  const [email, setEmail] = useState('')
  const verify = useVerifyOrganization(connection.id)
  return (
    <Panel title={`${text.verifyTitle}: ${organizationName(connection)}`}>
      <Form
        operation="verifyTenantConnection"
        narrow
        submit={() => verify.mutate(email.trim())}
        submitLabel={text.verify}
        busy={verify.isPending}
        error={verify.error}
      >
        <TextField
          label={text.address}
          type="email"
          value={email}
          change={setEmail}
          error={findIssue(verify.error, 'email')}
        />
      </Form>
      {verify.data !== undefined && <Checks verification={verify.data} />}
    </Panel>
  )
}

/** Adds pasted addresses and shows the result of each. */
export function AddMailboxes({ connection }: { connection: TenantConnection }) {
  const [pasted, setPasted] = useState('')
  const [proof, setProof] = useState('')
  const add = useAddMailboxes(connection.id)
  return (
    <Panel title={`${text.addTitle}: ${organizationName(connection)}`}>
      <Form
        operation="connectTenantMailboxes"
        submit={() =>
          add.mutate({ mailboxes: mailboxesIn(pasted), ...(proof !== '' && { confirm: toConfirmation(proof) }) })
        }
        submitLabel={text.add}
        busy={add.isPending}
        error={add.error}
      >
        <AreaField
          label={text.addresses}
          hint={text.addressesHint}
          value={pasted}
          change={setPasted}
          error={findIssue(add.error, 'mailboxes')}
        />
        {findProofIssue(add.error) !== undefined && <ProofField value={proof} change={setProof} error={add.error} />}
      </Form>
      {add.data !== undefined && <Results results={add.data} />}
    </Panel>
  )
}

function Results({ results }: { results: TenantMailboxResults }) {
  const paths = usePaths()
  const { connected, duplicates, invalid } = results
  return (
    <>
      <p role="status">{text.counts(numberText(connected), numberText(duplicates), numberText(invalid))}</p>
      <Lines label={text.results}>
        {results.results.map(({ index, email, outcome, sendingAccountId, message }) => (
          <li key={index}>
            <Badge tone={outcome === 'connected' ? 'good' : outcome === 'duplicate' ? 'soft' : 'bad'}>
              {outcomeText[outcome]}
            </Badge>
            {sendingAccountId === null ? (
              <strong>{email ?? ''}</strong>
            ) : (
              <Link to={paths.sender(sendingAccountId)}>{email ?? sendingAccountId}</Link>
            )}
            <Grow>{message}</Grow>
          </li>
        ))}
      </Lines>
    </>
  )
}
