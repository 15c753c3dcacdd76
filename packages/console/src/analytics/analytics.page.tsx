import { campaignRates } from '../campaigns/index.ts'
import { AccountForecastPanel } from '../forecast/index.ts'
import { usePaths } from '../paths.ts'
import { Table, type Column } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Columns, Empty, Link, Page, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { text } from './analytics.messages.ts'
import { useComparedCampaigns, useHours, useSummary, type CampaignNumbers } from './analytics.queries.ts'
import { FunnelFigure, HoursFigure } from './charts.tsx'

/** The analytics of all campaigns together. */
export function AnalyticsPage() {
  const summary = useSummary()
  const hours = useHours({})
  return (
    <Page title={text.title}>
      <Shown of={summary}>
        {({ totals }) =>
          totals.sent === 0 ? (
            <Empty title={text.none}>{text.noneText}</Empty>
          ) : (
            <Columns>
              <Panel title={text.funnel}>
                <FunnelFigure stats={totals} />
              </Panel>
              <Panel title={text.hours}>
                <Shown of={hours}>{(data) => <HoursFigure groups={data.groups} zone={data.timezone} />}</Shown>
              </Panel>
            </Columns>
          )
        }
      </Shown>
      <ByCampaign />
      <AccountForecastPanel />
    </Page>
  )
}

function ByCampaign() {
  const compared = useComparedCampaigns()
  const paths = usePaths()
  const columns: Column<CampaignNumbers>[] = [
    {
      name: text.campaign,
      cell: ({ campaign }) => <Link to={paths.campaign(campaign.id, 'analytics')}>{campaign.name}</Link>,
    },
    { name: text.sent, number: true, cell: ({ stats }) => numberText(stats.sent) },
    { name: text.replied, number: true, cell: ({ stats }) => numberText(stats.uniqueReplied) },
    { name: text.replyRate, number: true, cell: ({ stats }) => percentText(campaignRates(stats).reply) },
    { name: text.interestRate, number: true, cell: ({ stats }) => percentText(campaignRates(stats).interested) },
    { name: text.bounceRate, number: true, cell: ({ stats }) => percentText(campaignRates(stats).bounce) },
  ]
  return (
    <Panel flush title={text.byCampaign}>
      <Shown of={compared}>
        {(rows) => (
          <>
            <Table label={text.byCampaign} columns={columns} rows={rows} rowKey={({ campaign }) => campaign.id} />
            <Soft>{text.rateNote}</Soft>
          </>
        )}
      </Shown>
    </Panel>
  )
}
