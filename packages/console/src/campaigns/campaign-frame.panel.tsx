import type { Campaign } from '@overture/sdk'
import { campaignActions } from '@overture/contract/vocabularies.ts'
import { useState, type ReactNode } from 'react'
import { campaignTabs, usePaths, type CampaignTab } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { usePathParams } from '../platform/session/path-params.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Confirm, ErrorNote, Page, Shown, Tabs } from '../platform/ui/index.ts'
import { usePauseCampaign, useResumeCampaign } from './campaigns.actions.ts'
import { text } from './campaigns.messages.ts'
import { useCampaign } from './campaigns.queries.ts'
import { CampaignStatusBadge } from './status-badge.tsx'

export interface CampaignPageProps {
  tab: CampaignTab
  actions?: ReactNode
  beside?: ReactNode
  wide?: boolean
  children: (campaign: Campaign) => ReactNode
}

/** The frame of every page of a campaign: its name, status, tabs and what stops it. */
export function CampaignPage({ tab, actions, beside, wide = false, children }: CampaignPageProps) {
  const { id } = usePathParams('/campaigns/$id')
  const campaign = useCampaign(id)
  const paths = usePaths()
  const name = campaign.data?.name ?? text.title
  const tabs = campaignTabs.map((one) => ({ to: paths.campaign(id, one), label: text.tabs[one] }))
  return (
    <Page
      title={name}
      documentTitle={`${text.tabs[tab]} · ${name}`}
      wide={wide}
      beside={
        campaign.data && (
          <>
            <CampaignStatusBadge status={campaign.data.status} />
            {beside}
          </>
        )
      }
      actions={
        campaign.data && (
          <>
            {actions}
            <StopAndGo campaign={campaign.data} />
          </>
        )
      }
    >
      <Tabs label={text.tabList} items={tabs} />
      <Shown of={campaign}>{children}</Shown>
    </Page>
  )
}

export function StopAndGo({ campaign, small = false }: { campaign: Campaign; small?: boolean }) {
  const { id, status, leadCount } = campaign
  const allowed = campaignActions[status]
  const live = useEnvironment() === 'live'
  const [asking, setAsking] = useState(false)
  const pause = usePauseCampaign(id)
  const resume = useResumeCampaign(id)
  if (!allowed.includes('pause') && !allowed.includes('resume')) return null
  return (
    <>
      {allowed.includes('pause') ? (
        <Button small={small} operation="pauseCampaign" busy={pause.isPending} onClick={() => pause.mutate()}>
          {text.pause}
        </Button>
      ) : (
        <Button
          small={small}
          operation="resumeCampaign"
          busy={resume.isPending}
          onClick={() => (live ? setAsking(true) : resume.mutate())}
        >
          {text.resume}
        </Button>
      )}
      <ErrorNote error={pause.error ?? resume.error} />
      <Confirm
        title={text.resumeLiveTitle}
        open={asking}
        close={() => setAsking(false)}
        confirmLabel={text.resume}
        confirm={() => {
          setAsking(false)
          resume.mutate()
        }}
      >
        <p>{text.resumeLiveText(numberText(leadCount))}</p>
      </Confirm>
    </>
  )
}
