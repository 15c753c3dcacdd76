import type { ContactPolicy, ContactPolicyPreview } from '@overture/sdk'
import { useDeferredValue } from 'react'
import { blockedReasonText } from '../campaigns/index.ts'
import { useReading } from '../platform/api/query.ts'
import { Facts, Note, Shown, Soft, Stack } from '../platform/ui/index.ts'
import { text } from './contact-policy.messages.ts'

/** How many messages of today the policy would hold back, by reason and campaign. */
export function PolicyPreview({ policy, complete }: { policy: ContactPolicy; complete: boolean }) {
  const deferredPolicy = useDeferredValue(policy)
  const preview = useReading<ContactPolicyPreview>({
    key: ['contact-policy', 'preview', deferredPolicy],
    read: (api) => api.account.contactPolicy.preview(deferredPolicy),
    enabled: complete,
    keepOld: true,
  })
  return <Shown of={preview}>{(data) => <Held preview={data} />}</Shown>
}

function Held({ preview: { leads, held, byCampaign, partial } }: { preview: ContactPolicyPreview }) {
  const total = held.reduce((sum, { count }) => sum + count, 0)
  const campaigns = byCampaign.filter((one) => one.held > 0)
  return (
    <Stack>
      <Facts
        items={[
          { label: text.previewLeads, value: leads },
          { label: text.previewHeld, value: total },
          ...held.map(({ reason, count }) => ({ label: blockedReasonText(reason), value: count })),
        ]}
      />
      {total === 0 && <Soft>{text.previewNone}</Soft>}
      {campaigns.length > 0 && (
        <Facts items={campaigns.map((one) => ({ label: one.name, value: text.heldOf(one.held, one.leads) }))} />
      )}
      {partial && <Note>{text.partial}</Note>}
    </Stack>
  )
}
