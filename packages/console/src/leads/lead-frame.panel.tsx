import type { Lead, LeadOnPath } from '@overture/sdk'
import { leadStatusMoves } from '@overture/contract/vocabularies.ts'
import type { ReactNode } from 'react'
import { useCampaign } from '../campaigns/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { usePaths } from '../paths.ts'
import { AskFirst, Button, ErrorNote, Link, LinkButton, Page, say, Shown, Tabs } from '../platform/ui/index.ts'
import { InterestSelect, LeadStatusBadge } from './badges.tsx'
import { CompanyPause } from './company/company-pause.panel.tsx'
import { useStopLead, useUpdateLead } from './leads.actions.ts'
import { text } from './leads.messages.ts'
import { useLead } from './leads.queries.ts'
import { text as pathText } from './path.messages.ts'
import { PausedNote, PauseUntil } from './pause-until.panel.tsx'

/** The frame of both pages of a lead. */
export function LeadPage({ tab, children }: { tab: 'thread' | 'why'; children: (lead: LeadOnPath) => ReactNode }) {
  const { id, leadId } = usePathParams('/campaigns/$id/leads/$leadId')
  const lead = useLead(id, leadId)
  const campaign = useCampaign(id)
  const paths = usePaths()
  const email = lead.data?.email ?? ''
  const origin = lead.data?.originLeadId ?? null
  const tabs = [
    { to: paths.lead(id, leadId), label: text.thread },
    { to: paths.lead(id, leadId, 'why'), label: text.why },
  ]
  return (
    <Page
      title={email || text.leadTabs}
      documentTitle={`${tab === 'why' ? text.why : text.thread} · ${email}`}
      beside={lead.data && <LeadStatusBadge status={lead.data.status} held={lead.data.blockedReason} />}
      lead={
        <>
          <Link to={paths.campaign(id, 'leads')}>{campaign.data?.name}</Link>
          {origin !== null && (
            <>
              {' · '}
              <Link to={paths.person(origin)}>{pathText.origin}</Link>
            </>
          )}
        </>
      }
      actions={lead.data && <LeadActions lead={lead.data} />}
    >
      <Tabs label={text.leadTabs} items={tabs} />
      {lead.data && <PausedNote lead={lead.data} />}
      <Shown of={lead}>{children}</Shown>
    </Page>
  )
}

function LeadActions({ lead }: { lead: Lead }) {
  const place = { campaignId: lead.campaignId, leadId: lead.id }
  const paths = usePaths()
  const update = useUpdateLead(place)
  const moves = leadStatusMoves[lead.status]
  const pause = (): void =>
    update.mutate(
      { status: 'paused' },
      { onSuccess: () => say(text.paused(lead.email), () => update.mutate({ status: 'active' })) },
    )
  const resume = (): void => update.mutate({ status: 'active' }, { onSuccess: () => say(text.resumed(lead.email)) })
  const stop = useStopLead(place, () => say(text.stopped(lead.email)))
  return (
    <>
      <InterestSelect hideLabel value={lead.interest} change={(interest) => update.mutate({ interest })} />
      {moves.includes('paused') && (
        <Button operation="updateCampaignLead" onClick={pause}>
          {text.pause}
        </Button>
      )}
      {moves.includes('paused') && <PauseUntil lead={lead} />}
      {moves.includes('active') && (
        <Button operation="updateCampaignLead" onClick={resume}>
          {text.resume}
        </Button>
      )}
      <LinkButton operation="createTask" to={paths.addTask(lead.id)}>
        {text.addTask}
      </LinkButton>
      <CompanyPause email={lead.email} company={lead.companyDomain} />
      {moves.includes('stopped') && (
        <AskFirst
          operation="updateCampaignLead"
          look="danger"
          danger
          label={text.stop}
          title={text.stopTitle}
          action={stop}
        >
          {text.stopText(lead.email)}
        </AskFirst>
      )}
      <ErrorNote error={update.error} />
    </>
  )
}
