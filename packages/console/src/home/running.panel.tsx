import { campaignRates, CampaignStatusBadge, StopAndGo } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { Table, type Column } from '../platform/table/table.tsx'
import { numberText, percentText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Link, Panel, Shown } from '../platform/ui/index.ts'
import { text } from './home.messages.ts'
import { useRunning, type RunningCampaign } from './home.queries.ts'

export function Running() {
  const running = useRunning()
  const paths = usePaths()
  const columns: Column<RunningCampaign>[] = [
    { name: text.campaign, cell: ({ campaign }) => <Link to={paths.campaign(campaign.id)}>{campaign.name}</Link> },
    { name: text.status, cell: ({ campaign }) => <CampaignStatusBadge status={campaign.status} /> },
    { name: text.sent, number: true, cell: ({ stats }) => numberText(stats.sent) },
    {
      name: text.replied,
      number: true,
      cell: ({ stats }) => `${numberText(stats.uniqueReplied)} · ${percentText(campaignRates(stats).reply)}`,
    },
    {
      name: text.next,
      cell: ({ followup }) => (followup.nextSendAt === null ? text.noLeads : <Time at={followup.nextSendAt} />),
    },
    { name: text.actions, cell: ({ campaign }) => <StopAndGo campaign={campaign} small /> },
  ]
  return (
    <Panel title={text.running} flush={running.data !== undefined && running.data.length > 0}>
      <Shown of={running}>
        {(campaigns) =>
          campaigns.length === 0 ? (
            <p>{text.nothingRuns}</p>
          ) : (
            <Table label={text.running} columns={columns} rows={campaigns} rowKey={({ campaign }) => campaign.id} />
          )
        }
      </Shown>
    </Panel>
  )
}
