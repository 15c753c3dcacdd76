import type { SendingAccount } from '@overture/sdk'
import { useState } from 'react'
import { Form, TextField } from '../../platform/form/index.ts'
import { Button, CopyButton, findIssue, Panel, Row, say } from '../../platform/ui/index.ts'
import { HealthBadge } from '../badges.tsx'
import { useUpdateSender } from '../senders.actions.ts'
import { text as senderText } from '../senders.messages.ts'
import { useHealth } from '../senders.queries.ts'
import { text } from './tracking-domain.messages.ts'

/** The account's own domain for tracked links, with the DNS record that it needs. */
export function TrackingDomain({ sender }: { sender: SendingAccount }) {
  const [domain, setDomain] = useState(sender.trackingDomain ?? '')
  const update = useUpdateSender(sender.id, () => say(senderText.saved))
  return (
    <Panel title={text.title}>
      <p>{text.about}</p>
      <Form
        operation="updateSendingAccount"
        guarded
        submit={() => update.mutate({ trackingDomain: domain.trim() || null })}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
      >
        <TextField
          label={text.domain}
          hint={text.domainHint(sender.email.slice(sender.email.indexOf('@') + 1))}
          optional
          value={domain}
          change={setDomain}
          error={findIssue(update.error, 'trackingDomain')}
        />
      </Form>
      {sender.trackingDomain !== null && sender.provider !== 'sandbox' && <Record id={sender.id} />}
    </Panel>
  )
}

function Record({ id }: { id: string }) {
  const health = useHealth(id)
  const check = health.data?.tracking ?? null
  return (
    <div role="group" aria-label={text.record}>
      {check !== null && (
        <p>
          <HealthBadge status={check.status} /> {check.message}
        </p>
      )}
      {check?.put && (
        <>
          <p>{senderText.put(check.put.type, check.put.name)}</p>
          <code>{check.put.value}</code>
        </>
      )}
      <Row>
        {check?.put && <CopyButton small label={text.copy} value={check.put.value} />}
        <Button small busy={health.isFetching} onClick={() => void health.refetch()}>
          {senderText.checkAgain}
        </Button>
      </Row>
    </div>
  )
}
