import type { Campaign, CampaignSettings, UpdateCampaignInput } from '@overture/sdk'
import { campaignActions, providerMatchings, verificationModes } from '@overture/contract/vocabularies.ts'
import { useState, type ReactNode } from 'react'
import { usePaths } from '../paths.ts'
import { AreaField, CheckField, Form, NumberField, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { AskFirst, Button, findIssue, Panel, Row, say, useGo } from '../platform/ui/index.ts'
import { EntryForm, useModels } from '../sequence/index.ts'
import { CampaignPage } from './campaign-frame.panel.tsx'
import { useDeleteCampaign, useUpdateCampaign } from './campaigns.actions.ts'
import { text as campaignText } from './campaigns.messages.ts'
import { CopyDialog } from './copy.panel.tsx'
import { ExportButton } from './document.panel.tsx'
import { text as effectsText } from './effects.messages.ts'
import { EffectsDialog, useChangeCheck } from './effects.panel.tsx'
import { text } from './settings.messages.ts'

export function CampaignSettingsPage() {
  return (
    <CampaignPage tab="settings">
      {(campaign) => (
        <>
          <SettingsForm key={campaign.id} campaign={campaign} />
          <EntryForm key={`entry ${campaign.id}`} campaign={campaign} />
          <CopyAndDelete campaign={campaign} />
        </>
      )}
    </CampaignPage>
  )
}

const switches = ['stopOnReply', 'stopOnAutoReply', 'stopOnMeetingBooked', 'stopForCompany'] as const
const tracking = ['openTracking', 'linkTracking'] as const
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
  const [signals, setSignals] = useState(() => campaign.settings.stopOnSignals.join('\n'))
  const go = (change: UpdateCampaignInput): void => update.mutate(change, { onSuccess: () => say(text.saved) })
  const check = useChangeCheck({ campaign, go })
  const submit = (): void => {
    const stopOnSignals = signals.split(/[\s,]+/).filter((one) => one !== '')
    check.submit({ name, settings: { ...settings, stopOnSignals } })
  }
  const switched = (one: (typeof switches)[number] | (typeof tracking)[number] | 'textOnly') => (
    <CheckField
      key={one}
      label={text[one]}
      {...(one === 'stopForCompany' && { hint: text.stopForCompanyHint })}
      checked={settings[one]}
      change={(checked) => set({ [one]: checked })}
    />
  )
  return (
    <Form
      operation="updateCampaign"
      guarded
      submit={submit}
      submitLabel={text.save}
      busy={update.isPending}
      checking={check.busy}
      error={update.error ?? check.error}
    >
      <EffectsDialog campaign={campaign} check={check} confirmLabel={effectsText.save} confirm={go} />
      <Panel title={text.general}>
        <TextField label={text.name} value={name} change={setName} error={findIssue(update.error, 'name')} />
      </Panel>
      <Panel title={text.limits}>
        <Pair>
          {limits.map(([limit, label]) => (
            <NumberField
              key={limit}
              label={label}
              min={1}
              optional
              value={settings[limit]}
              change={(value) => set({ [limit]: value })}
              error={findIssue(update.error, `settings.${limit}`)}
            />
          ))}
        </Pair>
        <p>{text.noLimit}</p>
        <CheckField
          label={text.bounce}
          hint={text.bounceHint}
          checked={settings.bounceProtection.enabled}
          change={(enabled) => set({ bounceProtection: { ...settings.bounceProtection, enabled } })}
        />
      </Panel>
      <Panel title={text.stops}>
        {switches.map(switched)}
        <AreaField
          label={text.stopOnSignals}
          hint={text.stopOnSignalsHint}
          rows={3}
          value={signals}
          change={setSignals}
          error={signalIssue(update.error)}
        />
      </Panel>
      <Tracking settings={settings} set={set}>
        {tracking.map(switched)}
      </Tracking>
      <Notice settings={settings} set={set} />
      <OptingOut settings={settings} set={set} />
      <People settings={settings} set={set} />
      <Texts settings={settings} set={set}>
        {switched('textOnly')}
      </Texts>
    </Form>
  )
}

interface SettingsPartProps {
  settings: CampaignSettings
  set: (changes: Partial<CampaignSettings>) => void
}

function Tracking({ settings, set, children }: SettingsPartProps & { children: ReactNode }) {
  return (
    <Panel title={text.tracking}>
      <p>{text.trackingHint}</p>
      {children}
      <SelectField
        label={text.tracked}
        hint={text.trackedHint}
        value={settings.tracking}
        choices={(['on', 'by_consent', 'off'] as const).map((value) => ({ value, label: text.trackedChoices[value] }))}
        change={(value) => set({ tracking: value as CampaignSettings['tracking'] })}
      />
    </Panel>
  )
}

function Notice({ settings, set }: SettingsPartProps) {
  return (
    <Panel title={text.notice}>
      <SelectField
        label={text.notice}
        hint={text.noticeHint}
        hideLabel
        value={settings.privacyNotice}
        choices={(['off', 'link', 'text'] as const).map((value) => ({ value, label: text.noticeChoices[value] }))}
        change={(value) => set({ privacyNotice: value as CampaignSettings['privacyNotice'] })}
      />
    </Panel>
  )
}

function OptingOut({ settings, set }: SettingsPartProps) {
  return (
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
    </Panel>
  )
}

/** The addresses that the campaign writes to, their providers, and what is done with replies. */
function People(props: SettingsPartProps) {
  return (
    <>
      <Verification {...props} />
      <Providers {...props} />
      <Replies {...props} />
    </>
  )
}

function Verification({ settings: { verification }, set }: SettingsPartProps) {
  return (
    <Panel title={text.verification}>
      <SelectField
        label={text.verificationMode}
        hint={text.verificationHint}
        value={verification.mode}
        choices={verificationModes.map((value) => ({ value, label: text.verificationModes[value] }))}
        change={(mode) => set({ verification: { ...verification, mode: mode as typeof verification.mode } })}
      />
      <CheckField
        label={text.roleAddresses}
        hint={text.roleAddressesHint}
        checked={verification.roleAddresses === 'block'}
        change={(blocks) => set({ verification: { ...verification, roleAddresses: blocks ? 'block' : 'allow' } })}
      />
    </Panel>
  )
}

function Providers({ settings: { providerMatching }, set }: SettingsPartProps) {
  return (
    <Panel title={text.providers}>
      <SelectField
        label={text.providerMatching}
        hint={text.providerMatchingHint}
        value={providerMatching}
        choices={providerMatchings.map((value) => ({ value, label: text.providerMatchings[value] }))}
        change={(value) => set({ providerMatching: value as typeof providerMatching })}
      />
    </Panel>
  )
}

/** Reading of replies by a model, and the drafts that it writes. */
function Replies({ settings: { aiTriage, replyDrafts }, set }: SettingsPartProps) {
  const { usable } = useModels()
  const modelId = aiTriage?.modelId ?? ''
  const known = usable.map(({ id, name }) => ({ value: id, label: name }))
  const own = modelId === '' || known.some(({ value }) => value === modelId) ? [] : [{ value: modelId, label: modelId }]
  const choose = (id: string): void =>
    set(id === '' ? { aiTriage: null, replyDrafts: 'off' } : { aiTriage: { modelId: id } })
  return (
    <Panel title={text.replies}>
      <SelectField
        label={text.triage}
        hint={text.triageHint}
        value={modelId}
        choices={[{ value: '', label: text.noTriage }, ...own, ...known]}
        change={choose}
      />
      <CheckField
        label={text.replyDrafts}
        hint={aiTriage === null ? text.replyDraftsNeed : text.replyDraftsHint}
        disabled={aiTriage === null}
        checked={replyDrafts === 'on'}
        change={(on) => set({ replyDrafts: on ? 'on' : 'off' })}
      />
    </Panel>
  )
}

function Texts({ settings, set, children }: SettingsPartProps & { children: ReactNode }) {
  return (
    <Panel title={text.texts}>
      {children}
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
  )
}

const signalsPath = 'settings.stopOnSignals'
const signalsPlaces = 20

/** The issue of the whole list, or of the first name in it that is refused. */
function signalIssue(error: unknown): string | undefined {
  const paths = Array.from({ length: signalsPlaces }, (_none, at) => `${signalsPath}[${at}]`)
  return [signalsPath, ...paths].map((path) => findIssue(error, path)).find((issue) => issue !== undefined)
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
        <Button operation="copyCampaign" onClick={() => setCopying(true)}>
          {campaignText.copy}
        </Button>
        <ExportButton campaign={campaign} />
        <AskFirst
          operation="deleteCampaign"
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
