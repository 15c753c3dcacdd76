import type { Campaign } from '@overture/sdk'
import { campaignRates, noCounts, useCampaigns, useNumbersByCampaign } from '../campaigns/index.ts'
import { AccountForecastPanel } from '../forecast/index.ts'
import { usePaths } from '../paths.ts'
import { useSearchParams } from '../platform/form/index.ts'
import { Table, type Column } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Columns, Empty, Link, LinkButton, Page, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { OnlyTagFilter } from '../tags/index.ts'
import { text } from './analytics.messages.ts'
import { useHours, useTotals } from './analytics.queries.ts'
import { FunnelFigure, HoursFigure } from './charts.tsx'

/** The analytics of all campaigns together, or of those with a tag. */
export function AnalyticsPage() {
  const [{ tag }] = useSearchParams()
  const paths = usePaths()
  return (
    <Page title={text.title} actions={<LinkButton to={paths.reports}>{text.reports}</LinkButton>}>
      <OnlyTagFilter />
      {/* With another key, the numbers of one tag are not shown under the next one while those are read. */}
      <Totals key={`totals ${tag ?? ''}`} tag={tag} />
      <ByCampaign key={`campaigns ${tag ?? ''}`} tag={tag} />
      {tag === undefined && <AccountForecastPanel />}
    </Page>
  )
}

interface TaggedProps {
  tag: string | undefined
}

function Totals({ tag }: TaggedProps) {
  const totals = useTotals(tag)
  const hours = useHours(tag === undefined ? {} : { tagId: tag })
  const all = tag === undefined
  return (
    <Shown of={totals}>
      {({ totals: stats }) =>
        stats.sent === 0 ? (
          <Empty title={all ? text.none : text.noneFit}>{all ? text.noneText : text.noneFitText}</Empty>
        ) : (
          <Columns>
            <Panel title={all ? text.funnel : text.contactedTitle}>
              <FunnelFigure stats={stats} withLeads={all} />
            </Panel>
            <Panel title={text.hours}>
              <Shown of={hours}>{(data) => <HoursFigure groups={data.groups} zone={data.timezone} />}</Shown>
            </Panel>
          </Columns>
        )
      }
    </Shown>
  )
}

function ByCampaign({ tag }: TaggedProps) {
  const campaigns = useCampaigns()
  const numbers = useNumbersByCampaign(tag)
  const both = {
    data: numbers.data && campaigns.data,
    error: campaigns.error ?? numbers.error,
    refetch: () => Promise.all([campaigns.refetch(), numbers.refetch()]),
  }
  const campaignCounts = ({ id }: Campaign) => numbers.data?.get(id) ?? noCounts
  const isShown = (campaign: Campaign): boolean =>
    tag === undefined || campaign.tagIds.includes(tag) || campaignCounts(campaign).sent > 0
  const paths = usePaths()
  const columns: Column<Campaign>[] = [
    {
      name: text.campaign,
      cell: ({ id, name }) => <Link to={paths.campaign(id, 'analytics')}>{name}</Link>,
    },
    { name: text.sent, number: true, cell: (campaign) => numberText(campaignCounts(campaign).sent) },
    { name: text.replied, number: true, cell: (campaign) => numberText(campaignCounts(campaign).uniqueReplied) },
    {
      name: text.replyRate,
      number: true,
      cell: (campaign) => percentText(campaignRates(campaignCounts(campaign)).reply),
    },
    {
      name: text.interestRate,
      number: true,
      cell: (campaign) => percentText(campaignRates(campaignCounts(campaign)).interested),
    },
    {
      name: text.bounceRate,
      number: true,
      cell: (campaign) => percentText(campaignRates(campaignCounts(campaign)).bounce),
    },
  ]
  return (
    <Panel flush title={text.byCampaign}>
      <Shown of={both}>
        {({ results }) => (
          <>
            <Table label={text.byCampaign} columns={columns} rows={results.filter(isShown)} rowKey={({ id }) => id} />
            <Soft>{text.rateNote}</Soft>
          </>
        )}
      </Shown>
    </Panel>
  )
}
