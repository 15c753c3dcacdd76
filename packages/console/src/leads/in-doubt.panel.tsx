import type { Lead } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Button, Confirm, ErrorNote, Grow, Link, Row } from '../platform/ui/index.ts'
import { useResolve } from './leads.actions.ts'
import { text } from './leads.messages.ts'

/** A message that may or may not have been sent. The user decides, and confirms the decision. */
export function InDoubt({ lead }: { lead: Lead }) {
  const [asking, setAsking] = useState<'sent' | 'not_sent' | null>(null)
  const paths = usePaths()
  const resolve = useResolve({ campaignId: lead.campaignId, leadId: lead.id }, () => setAsking(null))
  return (
    <>
      <Grow>
        <Link to={paths.lead(lead.campaignId, lead.id, 'why')}>{lead.email}</Link>
      </Grow>
      <Row>
        <Button small operation="resolveDelivery" onClick={() => setAsking('sent')}>
          {text.wasSent}
        </Button>
        <Button small operation="resolveDelivery" onClick={() => setAsking('not_sent')}>
          {text.wasNotSent}
        </Button>
      </Row>
      <ErrorNote error={resolve.error} />
      <Confirm
        title={text.resolveTitle}
        open={asking !== null}
        close={() => setAsking(null)}
        confirmLabel={asking === 'sent' ? text.wasSent : text.wasNotSent}
        busy={resolve.isPending}
        confirm={() => asking !== null && resolve.mutate(asking)}
      >
        <p>{asking === 'sent' ? text.resolveSent(lead.email) : text.resolveNotSent(lead.email)}</p>
      </Confirm>
    </>
  )
}
