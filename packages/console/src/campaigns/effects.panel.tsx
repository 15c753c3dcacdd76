import { ApiError, type Campaign, type CampaignDryRun, type UpdateCampaignInput } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { useReading } from '../platform/api/query.ts'
import { timeText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Confirm, Lines, Soft } from '../platform/ui/index.ts'
import { effectSentences, isQuiet, stepNames } from './change-effects.ts'
import { text } from './effects.messages.ts'

const examplesMax = 5

export interface ChangeCheckOptions {
  campaign: Campaign
  /** Makes the change. Called if the change needs no confirmation or was confirmed. */
  go: (change: UpdateCampaignInput) => void
  /** Whether a change is asked about in any case. */
  always?: (change: UpdateCampaignInput) => boolean
}

/** Shows the effects of a change of a running campaign before the change is made. A change without effects is made at once. */
export function useChangeCheck({ campaign, go, always = () => false }: ChangeCheckOptions) {
  const [asking, setAsking] = useState<{ change: UpdateCampaignInput; preview: CampaignDryRun } | null>(null)
  const dryRun = useAction<UpdateCampaignInput, CampaignDryRun>({
    act: (api, change) => api.campaigns.dryRun(campaign.id, change),
  })
  const running = campaign.status === 'active' || campaign.status === 'scheduled'
  return {
    busy: dryRun.isPending,
    /** Why the effects can't be shown. */
    error: dryRun.error === null || isRefusal(dryRun.error) ? null : dryRun.error,
    asking,
    close: () => setAsking(null),
    submit(change: UpdateCampaignInput): void {
      if (!running) return go(change)
      dryRun.mutate(change, {
        onSuccess: (preview) => (isQuiet(preview) && !always(change) ? go(change) : setAsking({ change, preview })),
        // If the dry run is refused, the change is refused for the same reason and shows it at the field. Without an answer nothing is
        // changed.
        onError: (error) => (isRefusal(error) ? go(change) : undefined),
      })
    },
  }
}

function isRefusal(error: unknown): boolean {
  return ApiError.is(error, 'VALIDATION_ERROR') || ApiError.is(error, 'CONFLICT')
}

export interface EffectsDialogProps {
  campaign: Campaign
  check: ReturnType<typeof useChangeCheck>
  confirmLabel: string
  /** A note about effects other than the change itself. */
  beside?: string | null
  confirm: (change: UpdateCampaignInput) => void
}

export function EffectsDialog({ campaign, check, confirmLabel, beside = null, confirm }: EffectsDialogProps) {
  const live = useEnvironment() === 'live'
  const { asking, close } = check
  return (
    <Confirm
      title={text.title}
      open={asking !== null}
      close={close}
      confirmLabel={confirmLabel}
      confirm={() => {
        close()
        if (asking !== null) confirm(asking.change)
      }}
    >
      {asking !== null && (
        <>
          {live && <p>{text.live}</p>}
          <Lines label={text.title}>
            {effectSentences(campaign, asking.preview).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </Lines>
          <Examples campaign={campaign} preview={asking.preview} />
          {beside !== null && <p>{beside}</p>}
        </>
      )}
    </Confirm>
  )
}

function Examples({ campaign, preview }: { campaign: Campaign; preview: CampaignDryRun }) {
  const { zone } = useTenantTime()
  const sample = preview.effects.sample.slice(0, examplesMax)
  const ids = sample.map(({ leadId }) => leadId)
  const emails = useReading({
    key: ['leads', 'emails', campaign.id, ids],
    read: async (api) => Promise.all(ids.map(async (id) => (await api.campaigns.leads.get(campaign.id, id)).email)),
    enabled: ids.length > 0,
  })
  if (sample.length === 0) return null
  const name = stepNames(campaign.steps, preview.campaign.steps)
  const describePlace = ({ nextStepId, dueAt }: (typeof sample)[number]['before']): string =>
    text.place(name(nextStepId), dueAt === null ? '' : timeText(dueAt, zone))
  return (
    <>
      <h3>{text.examples}</h3>
      <Lines label={text.examples}>
        {sample.map(({ leadId, before, after }, at) => (
          <li key={leadId}>
            <div>
              {emails.data?.[at] ?? leadId}
              <div>
                <Soft>{text.example(describePlace(before), describePlace(after))}</Soft>
              </div>
            </div>
          </li>
        ))}
      </Lines>
    </>
  )
}
