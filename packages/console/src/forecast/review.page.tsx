import type { Campaign } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { CampaignPage, useStartCampaign } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { numberText } from '../platform/time/format.ts'
import { Button, Confirm, ErrorNote, Grow, Lines, LinkButton, Note, Panel, say } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useAccount } from '../settings/index.ts'
import { blockersIn, cureOf, foreseenBlockers } from './blockers.ts'
import { Calendar } from './calendar.panel.tsx'
import { blockerText, text } from './forecast.messages.ts'
import styles from './forecast.module.css'

/** What leaves when, what is in the way, and the button. */
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
  const senders = useSenders().data?.results ?? []
  const account = useAccount().data
  const start = useStartCampaign(campaign.id)
  const blockers =
    start.error === null
      ? foreseenBlockers({ campaign, senders, account, words: blockerText })
      : blockersIn(start.error)
  const count = numberText(campaign.leadCount)
  const can = campaignActions[campaign.status].includes('start')
  const reason = !can
    ? text.already
    : campaign.leadCount === 0
      ? text.launchNone
      : blockers.length > 0 && start.error === null
        ? text.launchBlocked
        : null
  const launch = (): void =>
    start.mutate(undefined, { onSuccess: () => say(text.launched), onSettled: () => setAsking(false) })
  return (
    <Panel title={blockers.length > 0 ? text.before : can ? text.ready : text.already}>
      {can && blockers.length === 0 && <p>{text.readyText}</p>}
      {can && <Blockers campaign={campaign} blockers={blockers} />}
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
