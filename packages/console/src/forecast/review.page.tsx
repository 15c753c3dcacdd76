import type { Campaign, Preflight } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CampaignPage, useStartCampaign } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { numberText, timeText } from '../platform/time/format.ts'
import { Button, Confirm, ErrorNote, LinkButton, Panel, Row, say, Shown, useGo } from '../platform/ui/index.ts'
import { blockersIn } from './blockers.ts'
import { Calendar } from './calendar.panel.tsx'
import { Blockers, LeftOut, Warnings } from './findings.panel.tsx'
import { text } from './forecast.messages.ts'
import { usePreflight } from './forecast.queries.ts'
import styles from './forecast.module.css'

/** The review before a start: what is sent when, the blockers, and the start button. */
export function ReviewPage() {
  return (
    <CampaignPage tab="review">
      {(campaign) => (
        <>
          {campaignActions[campaign.status].includes('start') ? (
            <Launch campaign={campaign} />
          ) : (
            <Launched campaign={campaign} />
          )}
          <Calendar campaign={campaign} />
        </>
      )}
    </CampaignPage>
  )
}

function Launched({ campaign }: { campaign: Campaign }) {
  const paths = usePaths()
  return (
    <Panel title={text.already}>
      <Row>
        <LinkButton to={paths.campaign(campaign.id)}>{text.viewOverview}</LinkButton>
      </Row>
    </Panel>
  )
}

function Launch({ campaign }: { campaign: Campaign }) {
  const preflight = usePreflight(campaign.id, true)
  const go = useGo()
  const paths = usePaths()
  const start = useStartCampaign(campaign.id, () => {
    say(text.launched)
    go(paths.campaign(campaign.id))
  })
  const blockers = start.error === null ? (preflight.data?.blockers ?? []) : blockersIn(start.error)
  const blocked = blockers.length > 0
  return (
    <Panel title={blocked ? text.before : preflight.isPending ? text.looking : text.ready}>
      <Shown of={preflight}>
        {({ warnings, capacityPerDay, recipients }) => (
          <>
            {!blocked && (
              <p>
                {text.readyText} {text.capacity(numberText(capacityPerDay))}
              </p>
            )}
            <Blockers campaign={campaign} blockers={blockers} />
            <Warnings campaign={campaign} warnings={warnings} />
            <LeftOut campaign={campaign} leftOut={recipients.leftOut} />
          </>
        )}
      </Shown>
      <ErrorNote error={start.error} />
      <LaunchButton
        campaign={campaign}
        recipients={blocked ? undefined : preflight.data?.recipients}
        start={start}
        disabledReason={disabledReason(campaign, { preflight, blocked: blocked && start.error === null })}
      />
    </Panel>
  )
}

function disabledReason(
  { leadCount }: Campaign,
  { preflight, blocked }: { preflight: { isPending: boolean; data: Preflight | undefined }; blocked: boolean },
): string | null {
  if (leadCount === 0) return text.launchNone
  if (preflight.isPending) return text.lookingReason
  if (blocked) return text.launchBlocked
  return preflight.data?.recipients.count === 0 ? text.launchNobody : null
}

interface LaunchButtonProps {
  campaign: Campaign
  /** Absent if they are not known, since something blocks the launch. */
  recipients: Preflight['recipients'] | undefined
  start: ReturnType<typeof useStartCampaign>
  disabledReason: string | null
}

function LaunchButton({ campaign, recipients, start, disabledReason }: LaunchButtonProps) {
  const live = useEnvironment() === 'live'
  const [asking, setAsking] = useState(false)
  // A part of a large campaign does not tell how many people get mail.
  const count = numberText(recipients === undefined || recipients.partial ? campaign.leadCount : recipients.count)
  const from = recipients?.firstMessageAt ?? null
  const who = from === null ? null : text.getMail(count, timeText(from, campaign.schedule.timezone))
  const launch = (): void => start.mutate(undefined, { onSettled: () => setAsking(false) })
  return (
    <>
      <div className={styles['launch']}>
        {who !== null && disabledReason === null && <p>{who}</p>}
        <Button
          look="primary"
          operation="startCampaign"
          busy={start.isPending}
          disabledReason={disabledReason}
          onClick={() => (live ? setAsking(true) : launch())}
        >
          {text.launch(count)}
        </Button>
      </div>
      <Confirm
        title={text.liveTitle}
        open={asking}
        close={() => setAsking(false)}
        confirm={launch}
        confirmLabel={text.liveConfirm}
        busy={start.isPending}
      >
        {who !== null && <p>{who}</p>}
        <p>{text.liveText}</p>
      </Confirm>
    </>
  )
}
