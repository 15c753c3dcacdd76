import type { Campaign, Preflight } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CampaignPage, useStartCampaign } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { numberText } from '../platform/time/format.ts'
import { Button, Confirm, ErrorNote, Grow, Lines, LinkButton, Note, Panel, say, Shown } from '../platform/ui/index.ts'
import { blockersIn, cureOf, placeOf } from './blockers.ts'
import { Calendar } from './calendar.panel.tsx'
import { text } from './forecast.messages.ts'
import { usePreflight } from './forecast.queries.ts'
import styles from './forecast.module.css'

/** The review before a start: what is sent when, the blockers, and the start button. */
export function ReviewPage() {
  return (
    <CampaignPage tab="review">
      {(campaign) => (
        <>
          <Launch campaign={campaign} />
          <Calendar campaign={campaign} />
        </>
      )}
    </CampaignPage>
  )
}

function Launch({ campaign }: { campaign: Campaign }) {
  const live = useEnvironment() === 'live'
  const [asking, setAsking] = useState(false)
  const start = useStartCampaign(campaign.id)
  const can = campaignActions[campaign.status].includes('start')
  const preflight = usePreflight(campaign.id, can)
  const blockers = start.error === null ? (preflight.data?.blockers ?? []) : blockersIn(start.error)
  const count = numberText(campaign.leadCount)
  const reason = !can
    ? text.already
    : campaign.leadCount === 0
      ? text.launchNone
      : preflight.isPending
        ? text.lookingReason
        : blockers.length > 0 && start.error === null
          ? text.launchBlocked
          : null
  const launch = (): void =>
    start.mutate(undefined, { onSuccess: () => say(text.launched), onSettled: () => setAsking(false) })
  return (
    <Panel title={titleOf({ can, looking: preflight.isPending, blocked: blockers.length > 0 })}>
      {can && (
        <Shown of={preflight}>
          {({ warnings, capacityPerDay }) => (
            <>
              {blockers.length === 0 && (
                <p>
                  {text.readyText} {text.capacity(numberText(capacityPerDay))}
                </p>
              )}
              <Blockers campaign={campaign} blockers={blockers} />
              <Warnings campaign={campaign} warnings={warnings} />
            </>
          )}
        </Shown>
      )}
      <ErrorNote error={start.error} />
      <div className={styles['launch']}>
        <Button
          look="primary"
          busy={start.isPending}
          disabledReason={reason}
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
        <p>{text.liveText(count)}</p>
      </Confirm>
    </Panel>
  )
}

function titleOf({ can, looking, blocked }: { can: boolean; looking: boolean; blocked: boolean }): string {
  if (blocked) return text.before
  if (!can) return text.already
  return looking ? text.looking : text.ready
}

function Warnings({ campaign, warnings }: { campaign: Campaign; warnings: Preflight['warnings'] }) {
  const paths = usePaths()
  if (warnings.length === 0) return null
  return (
    <>
      <h3>{text.warnings}</h3>
      <Lines label={text.warnings}>
        {warnings.map((one) => {
          const place = placeOf(one, campaign, paths)
          return (
            <li key={`${one.code}${one.ref}`}>
              <Grow>{one.message}</Grow>
              {place !== null && (
                <LinkButton small to={place}>
                  {text.look}
                  <span className="visually-hidden">: {one.message}</span>
                </LinkButton>
              )}
            </li>
          )
        })}
      </Lines>
    </>
  )
}

function Blockers({ campaign, blockers }: { campaign: Campaign; blockers: ReturnType<typeof blockersIn> }) {
  const paths = usePaths()
  if (blockers.length === 0) return null
  return (
    <Note tone="warn">
      <Lines label={text.blockers}>
        {blockers.map((one) => (
          <li key={`${one.code}${one.ref}`}>
            <Grow>{one.message}</Grow>
            <LinkButton small to={cureOf(one, campaign, paths)}>
              {(text.cures as Readonly<Record<string, string>>)[one.code] ?? text.cure}
            </LinkButton>
          </li>
        ))}
      </Lines>
    </Note>
  )
}
