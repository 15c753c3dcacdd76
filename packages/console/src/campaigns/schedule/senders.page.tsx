import type { Campaign } from '@overture/sdk'
import { structureEditableIn } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { usePaths } from '../../paths.ts'
import { CheckField, Form } from '../../platform/form/index.ts'
import { numberText } from '../../platform/time/format.ts'
import { Lines, LinkButton, Panel, Row, say, Soft } from '../../platform/ui/index.ts'
import { SenderStatusBadge, useSenders } from '../../sending-accounts/index.ts'
import { CampaignPage } from '../campaign-frame.panel.tsx'
import { useUpdateCampaign } from '../campaigns.actions.ts'
import { text } from './schedule.messages.ts'

export function CampaignSendersPage() {
  return (
    <CampaignPage tab="senders">{(campaign) => <SendersForm key={campaign.id} campaign={campaign} />}</CampaignPage>
  )
}

function SendersForm({ campaign }: { campaign: Campaign }) {
  const [senders, setSenders] = useState<readonly string[]>(campaign.sendingAccountIds)
  const update = useUpdateCampaign(campaign.id)
  const reason = structureEditableIn.includes(campaign.status) ? null : text.fixedSenders
  const isSaved = String(senders) === String(campaign.sendingAccountIds)
  return (
    <Form
      operation="updateCampaign"
      guarded
      submit={() => update.mutate({ sendingAccountIds: [...senders] }, { onSuccess: () => say(text.sendersSaved) })}
      submitLabel={text.saveSenders}
      busy={update.isPending}
      error={update.error}
      reason={reason}
      beside={isSaved ? undefined : <Soft>{text.notSaved}</Soft>}
    >
      <Panel title={text.senders}>
        <SenderChoice value={senders} change={setSenders} off={reason !== null} />
      </Panel>
    </Form>
  )
}

function SenderChoice({
  value,
  change,
  off,
}: {
  value: readonly string[]
  change: (ids: string[]) => void
  off: boolean
}) {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  if (senders.length === 0)
    return (
      <Row>
        <p>{text.sendersNone}</p>
        <LinkButton operation="createSendingAccount" to={paths.connectSender}>
          {text.connect}
        </LinkButton>
      </Row>
    )
  return (
    <Lines label={text.senders}>
      {senders.map(({ id, email, dailyLimit, status }) => (
        <li key={id}>
          <CheckField
            label={email}
            hint={text.perDay(numberText(dailyLimit))}
            disabled={off}
            checked={value.includes(id)}
            change={(checked) => change(checked ? [...value, id] : value.filter((one) => one !== id))}
          />
          <SenderStatusBadge status={status} />
        </li>
      ))}
    </Lines>
  )
}
