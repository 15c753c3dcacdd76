import type { Campaign } from '@overture/sdk'
import { campaignRates, noCounts, useCampaigns, useNumbersByCampaign } from '../campaigns/index.ts'
import { AccountForecastPanel } from '../forecast/index.ts'
import { usePaths } from '../paths.ts'
import { Filters, useSearchParams } from '../platform/form/index.ts'
import { Table, type Column } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Columns, Empty, Link, LinkButton, Page, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { RelatedTagFilter } from '../tags/index.ts'
import { text } from './analytics.messages.ts'
import { useHours, useTotals } from './analytics.queries.ts'
import { FunnelFigure, HoursFigure } from './charts.tsx'

/** The analytics of all campaigns together. */
export function AnalyticsPage() {
  const [{ tag }] = useSearchParams()
  const totals = useTotals(tag)
  const hours = useHours(tag === undefined ? {} : { tagId: tag })
  const paths = usePaths()
  return (
    <Page title={text.title} actions={<LinkButton to={paths.reports}>{text.reports}</LinkButton>}>
      <Filters label={text.filters}>
        <RelatedTagFilter />
      </Filters>
      <Shown of={totals}>
        {(stats) =>
          stats.sent === 0 ? (
            <Empty title={tag === undefined ? text.none : text.noneFit}>
              {tag === undefined ? text.noneText : text.noneFitText}
            </Empty>
          ) : (
            <Columns>
              <Panel title={text.funnel}>
                <FunnelFigure stats={stats} />
              </Panel>
              <Panel title={text.hours}>
                <Shown of={hours}>{(data) => <HoursFigure groups={data.groups} zone={data.timezone} />}</Shown>
              </Panel>
            </Columns>
          )
        }
      </Shown>
      <ByCampaign tag={tag} />
      {tag === undefined && <AccountForecastPanel />}
    </Page>
  )
}

function ByCampaign({ tag }: { tag: string | undefined }) {
  const campaigns = useCampaigns()
  const numbers = useNumbersByCampaign(tag)
  const both = {
    data: numbers.data && campaigns.data,
    error: campaigns.error ?? numbers.error,
    refetch: () => Promise.all([campaigns.refetch(), numbers.refetch()]),
  }
  const campaignCounts = ({ id }: Pick<Campaign, 'id'>) => numbers.data?.get(id) ?? noCounts
  const isShown = ({ id, tagIds }: Campaign): boolean =>
    tag === undefined || tagIds.includes(tag) || campaignCounts({ id }).sent > 0
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
