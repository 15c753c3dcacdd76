import type { Campaign, CampaignSettings } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CheckField, Form, NumberField, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { AskFirst, Button, issueOf, Panel, Row, say, useGo } from '../platform/ui/index.ts'
import { CampaignPage } from './campaign-frame.panel.tsx'
import { useDeleteCampaign, useUpdateCampaign } from './campaigns.actions.ts'
import { text as campaignText } from './campaigns.messages.ts'
import { CopyDialog } from './copy.panel.tsx'
import { text } from './settings.messages.ts'

export function CampaignSettingsPage() {
  return (
    <CampaignPage tab="settings">
      {(campaign) => (
        <>
          <SettingsForm key={campaign.id} campaign={campaign} />
          <CopyAndDelete campaign={campaign} />
        </>
      )}
    </CampaignPage>
  )
}

const switches = ['stopOnReply', 'stopOnAutoReply', 'stopOnMeetingBooked', 'stopForCompany'] as const
const tracking = ['openTracking', 'linkTracking', 'textOnly'] as const
const limits = [
  ['dailyLimit', text.dailyLimit],
  ['dailyNewLeadLimit', text.dailyNewLeadLimit],
  ['maxPerRecipientDomainPerDay', text.perDomain],
] as const

function SettingsForm({ campaign }: { campaign: Campaign }) {
  const [name, setName] = useState(campaign.name)
  const [settings, setSettings] = useState(campaign.settings)
  const update = useUpdateCampaign(campaign.id)
  const set = (changes: Partial<CampaignSettings>): void => setSettings({ ...settings, ...changes })
  const submit = (): void => update.mutate({ name, settings }, { onSuccess: () => say(text.saved) })
  const check = (one: (typeof switches)[number] | (typeof tracking)[number]) => (
    <CheckField
      key={one}
      label={text[one]}
      {...(one === 'stopForCompany' && { hint: text.stopForCompanyHint })}
      checked={settings[one]}
      change={(checked) => set({ [one]: checked })}
    />
  )
  return (
    <Form guarded submit={submit} submitLabel={text.save} busy={update.isPending} error={update.error}>
      <Panel title={text.general}>
        <TextField label={text.name} value={name} change={setName} error={issueOf(update.error, 'name')} />
      </Panel>
      <Panel title={text.limits}>
        <Pair>
          {limits.map(([one, label]) => (
            <NumberField
              key={one}
              label={label}
              min={1}
              optional
              value={settings[one]}
              change={(value) => set({ [one]: value })}
              error={issueOf(update.error, `settings.${one}`)}
            />
          ))}
        </Pair>
        <p>{text.noLimit}</p>
      </Panel>
      <Panel title={text.stops}>{switches.map(check)}</Panel>
      <Panel title={text.tracking}>
        <p>{text.trackingHint}</p>
        {tracking.map(check)}
      </Panel>
      <Panel title={text.unsubscribe}>
        <SelectField
          label={text.unsubscribe}
          hideLabel
          value={settings.unsubscribe}
          choices={(['link', 'header_only'] as const).map((value) => ({
            value,
            label: text.unsubscribeChoices[value],
          }))}
          change={(value) => set({ unsubscribe: value as CampaignSettings['unsubscribe'] })}
        />
        <CheckField
          label={text.bounce}
          hint={text.bounceHint}
          checked={settings.bounceProtection.enabled}
          change={(enabled) => set({ bounceProtection: { ...settings.bounceProtection, enabled } })}
        />
        <SelectField
          label={text.approval}
          value={settings.aiApproval}
          choices={(['none', 'first_n', 'all'] as const).map((value) => ({
            value,
            label: text.approvalChoices[value],
          }))}
          change={(value) => set({ aiApproval: value as CampaignSettings['aiApproval'] })}
        />
      </Panel>
    </Form>
  )
}

function CopyAndDelete({ campaign }: { campaign: Campaign }) {
  const { id, name, status } = campaign
  const [copying, setCopying] = useState(false)
  const go = useGo()
  const paths = usePaths()
  const remove = useDeleteCampaign(id, () => go(paths.campaigns, { replace: true }))
  return (
    <Panel label={campaignText.remove}>
      <Row>
        <Button onClick={() => setCopying(true)}>{campaignText.copy}</Button>
        <AskFirst
          look="danger"
          danger
          label={campaignText.remove}
          title={campaignText.removeTitle}
          disabledReason={campaignActions[status].includes('delete') ? null : campaignText.cantRemove}
          action={remove}
        >
          {campaignText.removeText(name)}
        </AskFirst>
      </Row>
      <CopyDialog campaign={campaign} open={copying} close={() => setCopying(false)} />
    </Panel>
  )
}
