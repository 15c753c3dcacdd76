import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CheckField, Form, TextField } from '../platform/form/index.ts'
import { Dialog, findIssue, say, useGo } from '../platform/ui/index.ts'
import { useCopyCampaign } from './campaigns.actions.ts'
import { text } from './campaigns.messages.ts'

export interface CopyDialogProps {
  campaign: Campaign
  open: boolean
  close: () => void
}

/** A dialog that copies a campaign into a draft, with or without its leads. */
export function CopyDialog({ campaign, open, close }: CopyDialogProps) {
  const [name, setName] = useState(text.copyOf(campaign.name))
  const [withLeads, setWithLeads] = useState(false)
  const go = useGo()
  const paths = usePaths()
  const copy = useCopyCampaign(campaign.id, (made) => {
    say(text.copied(made.name))
    go(paths.campaign(made.id, 'steps'))
  })
  return (
    <Dialog title={text.copyTitle} open={open} close={close} foot={null}>
      <Form
        operation="copyCampaign"
        submit={() => copy.mutate({ name, withLeads })}
        submitLabel={text.copyButton}
        busy={copy.isPending}
        error={copy.error}
      >
        <p>{text.copyText}</p>
        <TextField label={text.name} value={name} change={setName} error={findIssue(copy.error, 'name')} />
        <CheckField label={text.withLeads} hint={text.withLeadsHint} checked={withLeads} change={setWithLeads} />
      </Form>
    </Dialog>
  )
}
