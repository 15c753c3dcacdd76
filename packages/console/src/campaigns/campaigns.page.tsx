import type { Campaign, CampaignStatus } from '@overture/sdk'
import { campaignStatuses } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import {
  ChoiceFilter,
  ChooseRow,
  Filters,
  Form,
  SearchFilter,
  TextField,
  useSearchParams,
} from '../platform/form/index.ts'
import { type Column, ListTable, useSelection, type Selection } from '../platform/table/index.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Dialog, Empty, findIssue, Link, Page, Panel, useGo } from '../platform/ui/index.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { BulkTags, TagFilter, tagText } from '../tags/index.ts'
import { StopAndGo } from './campaign-frame.panel.tsx'
import { useCreateCampaign } from './campaigns.actions.ts'
import { text } from './campaigns.messages.ts'
import { text as documentText } from './document.messages.ts'
import { ImportCampaignDialog } from './document.panel.tsx'
import {
  campaignList,
  noCounts,
  useNumbersByCampaign,
  type CampaignCounts,
  type NumbersByCampaign,
} from './campaigns.queries.ts'
import { campaignRates } from './rates.ts'
import { ownZone } from '../platform/time/zones.ts'
import { CampaignStatusBadge } from './status-badge.tsx'

export function CampaignsPage() {
  const [{ status, q, tag, new: creating, import: importing }, change] = useSearchParams()
  const paths = usePaths()
  const filter = {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status: status as CampaignStatus }),
    ...(tag !== undefined && { tagId: tag }),
  }
  const { data: numbers } = useNumbersByCampaign()
  const filtered = Object.keys(filter).length > 0
  const reading = campaignList(filter)
  const selection = useSelection<Campaign>(JSON.stringify(filter))
  const create = (
    <Button look="primary" operation="createCampaign" onClick={() => change({ new: '1' })}>
      {text.create}
    </Button>
  )
  return (
    <Page
      title={text.title}
      actions={
        <>
          <Button operation="importCampaign" onClick={() => change({ import: '1' })}>
            {documentText.openImport}
          </Button>
          {create}
        </>
      }
    >
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
        <ChoiceFilter
          name="status"
          label={text.status}
          any={text.anyStatus}
          choices={campaignStatuses.map((value) => ({ value, label: text.statuses[value] }))}
        />
        <TagFilter />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={reading}
          columns={campaignColumns(paths.campaign, numbers, selection)}
          above={(total, shown) => (
            <BulkTags of="campaigns" selection={selection} shown={shown} every={{ total, page: reading.page }} />
          )}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/campaigns" query={filter} />}
          empty={
            filtered ? (
              <Empty title={text.nothingFits}>{text.nothingFitsText}</Empty>
            ) : (
              <Empty title={text.none} action={create}>
                {text.noneText}
              </Empty>
            )
          }
        />
      </Panel>
      <CreateDialog open={creating === '1'} close={() => change({ new: '' })} />
      <ImportCampaignDialog open={importing === '1'} close={() => change({ import: '' })} />
    </Page>
  )
}

/** The numbers are undefined until they are loaded. A campaign without events has none. */
function campaignColumns(
  to: (id: string) => string,
  numbers: NumbersByCampaign | undefined,
  selection: Selection<Campaign>,
): Column<Campaign>[] {
  const count = (read: (numbers: CampaignCounts) => string) => (campaign: Campaign) =>
    numbers === undefined ? '' : read(numbers.get(campaign.id) ?? noCounts)
  return [
    {
      name: text.name,
      cell: (campaign) => (
        <ChooseRow
          label={tagText.select(campaign.name)}
          checked={selection.has(campaign.id)}
          change={() => selection.toggle(campaign)}
        >
          <Link to={to(campaign.id)}>{campaign.name}</Link>
        </ChooseRow>
      ),
    },
    { name: text.status, cell: ({ status }) => <CampaignStatusBadge status={status} /> },
    {
      name: text.progress,
      cell: (campaign) =>
        count(({ contacted }) => text.progressOf(numberText(contacted), numberText(campaign.leadCount)))(campaign),
    },
    { name: text.sent, number: true, cell: count(({ sent }) => numberText(sent)) },
    {
      name: text.replied,
      number: true,
      cell: count((counts) => withShare(counts.uniqueReplied, campaignRates(counts).reply)),
    },
    {
      name: text.bounced,
      number: true,
      cell: count((counts) => withShare(counts.bounced, campaignRates(counts).bounce)),
    },
    { name: text.changed, cell: ({ updatedAt }) => <Time at={updatedAt} short /> },
    { name: text.actions, cell: (campaign) => <StopAndGo campaign={campaign} small /> },
  ]
}

function withShare(count: number, share: number): string {
  return count === 0 ? numberText(0) : `${numberText(count)} · ${percentText(share)}`
}

function CreateDialog({ open, close }: { open: boolean; close: () => void }) {
  const [name, setName] = useState('')
  const paths = usePaths()
  const go = useGo()
  const create = useCreateCampaign(({ id }) => go(paths.campaign(id, 'steps')))
  return (
    <Dialog title={text.createTitle} open={open} close={close} foot={null}>
      <Form
        operation="createCampaign"
        submit={() => create.mutate({ name, schedule: { timezone: ownZone() } })}
        submitLabel={text.createButton}
        busy={create.isPending}
        error={create.error}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          change={setName}
          error={findIssue(create.error, 'name')}
        />
      </Form>
    </Dialog>
  )
}
