import { useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { Table, type Column } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Columns, Empty, Link, Page, Panel, Shown } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { text } from './analytics.messages.ts'
import { useGroupedAnalytics, type AnalyticsGroup } from './analytics.queries.ts'
import { FunnelFigure, HoursFigure, OverTimeFigure } from './charts.tsx'
import { RangeFilter, useRange } from './range.tsx'

/** All campaigns together. */
export function AnalyticsPage() {
  const { from, to } = useRange()
  const filter = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const days = useGroupedAnalytics('day', filter)
  const hours = useGroupedAnalytics('weekday,hour', filter)
  const { zone } = useTenantTime()
  return (
    <Page title={text.title}>
      <RangeFilter />
      <Shown of={days}>
        {({ groups, totals }) =>
          totals.sent === 0 ? (
            <Empty title={text.none}>{text.noneText}</Empty>
          ) : (
            <Columns>
              <Panel title={text.funnel}>
                <FunnelFigure stats={totals} />
              </Panel>
              <Panel title={text.overTime}>
                <OverTimeFigure series={groups.map((group) => ({ ...group, date: group.key[0] ?? '' }))} />
              </Panel>
            </Columns>
          )
        }
      </Shown>
      <ByCampaign filter={filter} />
      <BySender filter={filter} />
      <Panel title={text.hours}>
        <Shown of={hours}>{(data) => <HoursFigure groups={data.groups} zone={data.timezone ?? zone} />}</Shown>
      </Panel>
    </Page>
  )
}

type Filter = { from?: string; to?: string }

const counters: Column<AnalyticsGroup>[] = [
  { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
  { name: text.replied, number: true, cell: ({ uniqueReplied }) => numberText(uniqueReplied) },
  { name: text.replyRate, number: true, cell: ({ rates }) => percentText(rates.reply) },
  { name: text.positiveRate, number: true, cell: ({ rates }) => percentText(rates.positiveReply) },
  { name: text.bounceRate, number: true, cell: ({ rates }) => percentText(rates.bounce) },
]

function ByCampaign({ filter }: { filter: Filter }) {
  const groups = useGroupedAnalytics('campaign', filter)
  const campaigns = useCampaigns().data?.results ?? []
  const paths = usePaths()
  const name: Column<AnalyticsGroup> = {
    name: text.campaign,
    cell: ({ key: [id] }) => (
      <Link to={paths.campaign(id ?? '', 'analytics')}>
        {campaigns.find((one) => one.id === id)?.name ?? text.gone}
      </Link>
    ),
  }
  return (
    <Panel
      flush
      title={text.byCampaign}
      actions={<CsvLink path="/v2/analytics" query={{ groupBy: 'campaign', ...filter }} />}
    >
      <Shown of={groups}>
        {(data) => (
          <Table
            label={text.byCampaign}
            columns={[name, ...counters]}
            rows={data.groups}
            rowKey={({ key }) => key.join()}
          />
        )}
      </Shown>
    </Panel>
  )
}

function BySender({ filter }: { filter: Filter }) {
  const groups = useGroupedAnalytics('sender', filter)
  const senders = useSenders().data?.results ?? []
  const paths = usePaths()
  const name: Column<AnalyticsGroup> = {
    name: text.sender,
    cell: ({ key: [id] }) => (
      <Link to={paths.sender(id ?? '')}>{senders.find((one) => one.id === id)?.email ?? text.gone}</Link>
    ),
  }
  return (
    <Panel flush title={text.bySender}>
      <Shown of={groups}>
        {(data) => (
          <Table
            label={text.bySender}
            columns={[name, ...counters]}
            rows={data.groups}
            rowKey={({ key }) => key.join()}
          />
        )}
      </Shown>
    </Panel>
  )
}
