import type { Analytics, Campaign, StepAnalytics, VariantAnalytics } from '@overture/sdk'
import { CampaignPage, useCampaignStats } from '../campaigns/index.ts'
import { firstWords } from '../editor/index.ts'
import { Table, type Column } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Badge, Columns, Lines, Panel, Shown } from '../platform/ui/index.ts'
import { text } from './analytics.messages.ts'
import { useCampaignAnalytics, useHours } from './analytics.queries.ts'
import { FunnelFigure, HoursFigure, OverTimeFigure } from './charts.tsx'
import { PathsPanel } from './paths-panel.tsx'
import { RangeFilter, useRange } from './range.tsx'

/** The results of a campaign: the funnel from leads to meetings, each step, each variant, and the hours of the week. */
export function CampaignAnalyticsPage() {
  return <CampaignPage tab="analytics">{(campaign) => <Numbers campaign={campaign} />}</CampaignPage>
}

function Numbers({ campaign }: { campaign: Campaign }) {
  const stats = useCampaignStats(campaign.id)
  const range = useRange()
  const analytics = useCampaignAnalytics(campaign.id, range)
  return (
    <>
      <RangeFilter withInterval />
      <Shown of={analytics}>
        {(data) => (
          <>
            <Columns>
              <Panel title={text.funnel}>
                <Shown of={stats}>{(counts) => <FunnelFigure stats={counts} />}</Shown>
              </Panel>
              <Panel title={text.overTime}>
                <OverTimeFigure series={data.series} />
              </Panel>
            </Columns>
            <Variants analytics={data} campaign={campaign} />
            <PathsPanel
              paths={data.paths}
              position={(stepId) => campaign.steps.find(({ id }) => id === stepId)?.position}
            />
            <Panel flush title={text.steps}>
              <Table label={text.steps} columns={stepColumns} rows={data.steps} rowKey={({ stepId }) => stepId} />
            </Panel>
          </>
        )}
      </Shown>
      <Hours campaignId={campaign.id} />
    </>
  )
}

function Hours({ campaignId }: { campaignId: string }) {
  const { from, to } = useRange()
  const hours = useHours({ campaignId, ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
  return (
    <Panel title={text.hours}>
      <Shown of={hours}>{(data) => <HoursFigure groups={data.groups} zone={data.timezone} />}</Shown>
    </Panel>
  )
}

const stepColumns: Column<StepAnalytics>[] = [
  { name: text.step, cell: ({ position }) => (position === null ? text.gone : numberText(position)) },
  { name: text.reached, number: true, cell: ({ reached }) => numberText(reached) },
  { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
  { name: text.replied, number: true, cell: ({ uniqueReplied }) => numberText(uniqueReplied) },
  { name: text.repliedOfDelivered, number: true, cell: ({ rates }) => percentText(rates.reply) },
  { name: text.openedOfDelivered, number: true, cell: ({ rates }) => percentText(rates.open) },
  { name: text.bouncedOfSent, number: true, cell: ({ rates }) => percentText(rates.bounce) },
]

const gistLength = 60

function Variants({ analytics, campaign }: { analytics: Analytics; campaign: Campaign }) {
  const position = (stepId: string) => campaign.steps.find(({ id }) => id === stepId)?.position
  const written = new Map(
    campaign.steps.flatMap(({ variants }) =>
      variants.map((one) => [one.id, one.subject || firstWords(one.body, gistLength)]),
    ),
  )
  const columns: Column<VariantAnalytics>[] = [
    {
      name: text.step,
      cell: ({ stepId }) => (position(stepId) === undefined ? text.gone : numberText(position(stepId)!)),
    },
    { name: text.variant, cell: ({ label }) => label ?? text.gone },
    { name: text.subject, cell: ({ variantId }) => written.get(variantId) },
    { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
    { name: text.repliedOfDelivered, number: true, cell: ({ rates }) => percentText(rates.reply) },
    {
      name: text.interval95,
      number: true,
      cell: ({ replyInterval }) =>
        replyInterval && text.intervalText(percentText(replyInterval.low), percentText(replyInterval.high)),
    },
    { name: text.nextShare, number: true, cell: ({ nextShare }) => nextShare !== null && percentText(nextShare) },
  ]
  return (
    <Panel title={text.variants}>
      <Lines label={text.verdict}>
        {analytics.comparisons.map(({ stepId, verdict, detail }) => (
          <li key={stepId}>
            <Badge tone={verdict === 'winner' ? 'good' : 'soft'}>{text.verdicts[verdict]}</Badge>
            {detail}
          </li>
        ))}
      </Lines>
      <Table
        label={text.variants}
        columns={columns}
        rows={[...analytics.variants].sort((a, b) => (position(a.stepId) ?? 0) - (position(b.stepId) ?? 0))}
        rowKey={({ variantId }) => variantId}
      />
    </Panel>
  )
}
