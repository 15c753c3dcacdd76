import type { AdminConsent } from '@overture/sdk'
import { useState } from 'react'
import { Button, CopyButton, ErrorNote, Panel, Row } from '../platform/ui/index.ts'
import { useAdminConsent } from './senders.actions.ts'
import { text } from './senders.messages.ts'

/** Gets a link for an administrator of Microsoft 365, for organizations that don't let people connect their mailboxes. */
export function AskAdministrator({ email }: { email: string }) {
  const [consent, setConsent] = useState<AdminConsent | null>(null)
  const ask = useAdminConsent(setConsent)
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return (
    <Panel title={text.askAdministrator}>
      <p>{text.askAdministratorText(domain)}</p>
      {consent !== null && (
        <p>
          <code>{consent.url}</code>
        </p>
      )}
      <Row>
        {consent === null ? (
          <Button busy={ask.isPending} onClick={() => ask.mutate(domain)}>
            {text.administratorLink}
          </Button>
        ) : (
          <CopyButton label={text.copyLink} value={consent.url} />
        )}
        <ErrorNote error={ask.error} />
      </Row>
    </Panel>
  )
}
