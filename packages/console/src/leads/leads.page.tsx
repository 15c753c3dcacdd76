import type { BlockedReason, Interest, Lead, LeadItem, LeadStatus } from '@overture/sdk'
import { leadStatuses, verificationResults } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { blockedReasonText, CampaignPage, useFollowupStatus } from '../campaigns/index.ts'
import { FollowList } from '../lists/index.ts'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import {
  ChoiceFilter,
  ChooseRow,
  Filters,
  Form,
  Pair,
  SearchFilter,
  TextField,
  useSearchParams,
} from '../platform/form/index.ts'
import { ListTable, useSelection, type Column, type Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Dialog, Empty, Link, LinkButton, Note, Panel, Row } from '../platform/ui/index.ts'
import { TagFilter } from '../tags/index.ts'
import { InterestBadge, interestChoices, LeadStatusBadge, VerificationBadge } from './badges.tsx'
import { bulkText } from './bulk.messages.ts'
import { text as addText } from './adding/add-person.messages.ts'
import { AddQuestion, useAddPerson } from './adding/add-person.panel.tsx'
import { BulkLeads } from './bulk.panel.tsx'
import { statusText, text } from './leads.messages.ts'
import { leadList, type LeadFilter } from './leads.queries.ts'
import { text as verifyText } from './verify/verify.messages.ts'
import { VerifyDialog } from './verify/verify.panel.tsx'

export function LeadsPage() {
  const [adding, setAdding] = useState(false)
  const [verifying, setVerifying] = useState(false)
  const paths = usePaths()
  return (
    <CampaignPage tab="leads">
      {(campaign) => (
        <>
          <Row>
            <LinkButton operation="importCampaignLeads" to={paths.importLeads(campaign.id)}>
              {text.import}
            </LinkButton>
            <Button operation="addCampaignLeads" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
            <FollowList campaign={campaign} />
            <Button operation="createVerification" onClick={() => setVerifying(true)}>
              {verifyText.open}
            </Button>
          </Row>
          <LeadFilters campaignId={campaign.id} />
          <Panel flush label={text.list}>
            <LeadTable campaignId={campaign.id} add={() => setAdding(true)} />
          </Panel>
          <VerifyDialog campaignId={campaign.id} open={verifying} close={() => setVerifying(false)} />
          <AddDialog campaignId={campaign.id} open={adding} close={() => setAdding(false)} />
        </>
      )}
    </CampaignPage>
  )
}

function LeadFilters({ campaignId }: { campaignId: string }) {
  const blocked = useFollowupStatus(campaignId).data?.blocked ?? []
  return (
    <Filters label={text.filters}>
      <SearchFilter label={text.search} />
      <ChoiceFilter
        name="status"
        label={text.status}
        any={text.anyStatus}
        choices={leadStatuses.map((value) => ({ value, label: statusText[value] }))}
      />
      <ChoiceFilter name="interest" label={text.interest} any={text.anyInterest} choices={interestChoices} />
      <ChoiceFilter
        name="held"
        label={text.held}
        any={text.anyHeld}
        choices={blocked.map(({ reason, count }) => ({
          value: reason,
          label: `${blockedReasonText(reason)} · ${numberText(count)}`,
        }))}
      />
      <ChoiceFilter
        name="verification"
        label={text.verification}
        any={text.anyVerification}
        choices={([...verificationResults, 'none'] as const).map((value) => ({
          value,
          label: text.verificationResults[value],
        }))}
      />
      <TagFilter />
    </Filters>
  )
}

function LeadTable({ campaignId, add }: { campaignId: string; add: () => void }) {
  const [{ q, status, interest, held, verification, tag }] = useSearchParams()
  const paths = usePaths()
  const filter: LeadFilter = {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status: status as LeadStatus }),
    ...(interest !== undefined && { interest: interest as Interest }),
    ...(held !== undefined && { blockedReason: held as BlockedReason }),
    ...(verification !== undefined && { verification: verification as NonNullable<LeadFilter['verification']> }),
    ...(tag !== undefined && { tagId: tag }),
  }
  const filtered = Object.keys(filter).length > 0
  const selection = useSelection<Lead>(JSON.stringify(filter))
  return (
    <ListTable
      label={text.list}
      reading={leadList(campaignId, filter)}
      columns={leadColumns(paths, selection)}
      above={(total) => <BulkLeads {...{ campaignId, selection, filter, total }} />}
      rowKey={({ id }) => id}
      csv={<CsvLink path={`/v2/campaigns/${campaignId}/leads`} query={{ ...filter }} />}
      empty={
        filtered ? (
          <Empty title={text.noneFits}>{text.noneFitsText}</Empty>
        ) : (
          <Empty
            title={text.none}
            action={
              <Row>
                <LinkButton look="primary" operation="importCampaignLeads" to={paths.importLeads(campaignId)}>
                  {text.import}
                </LinkButton>
                <Button operation="addCampaignLeads" onClick={add}>
                  {text.add}
                </Button>
              </Row>
            }
          >
            {text.noneText}
          </Empty>
        )
      }
    />
  )
}

function leadColumns(paths: ReturnType<typeof usePaths>, selection: Selection<Lead>): Column<Lead>[] {
  return [
    {
      name: text.email,
      cell: (lead) => (
        <ChooseRow
          label={bulkText.choose(lead.email)}
          checked={selection.has(lead.id)}
          change={() => selection.toggle(lead)}
        >
          <Link to={paths.lead(lead.campaignId, lead.id)}>{lead.email}</Link>
        </ChooseRow>
      ),
    },
    { name: text.name, cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') },
    { name: text.company, cell: ({ company }) => company },
    {
      name: text.status,
      cell: ({ status, blockedReason }) => <LeadStatusBadge status={status} held={blockedReason} />,
    },
    { name: text.interest, cell: ({ interest }) => interest && <InterestBadge interest={interest} /> },
    {
      name: text.verification,
      cell: ({ verification }) => verification && <VerificationBadge verification={verification} />,
    },
    { name: text.step, number: true, cell: ({ currentStep }) => numberText(currentStep) },
    { name: text.next, cell: ({ nextSendAt }) => nextSendAt && <Time at={nextSendAt} short /> },
    {
      name: text.why,
      wrap: true,
      cell: ({ campaignId, id, email, blockedReason }) => (
        <Link to={paths.lead(campaignId, id, 'why')}>
          {blockedReason === null ? text.why : blockedReasonText(blockedReason)}
          <span className="visually-hidden"> {email}</span>
        </Link>
      ),
    },
  ]
}

const blank: LeadItem = { email: '', firstName: '', lastName: '', company: '', jobTitle: '' }

function AddDialog({ campaignId, open, close }: { campaignId: string; open: boolean; close: () => void }) {
  const [lead, setLead] = useState<LeadItem>(blank)
  const add = useAddPerson(campaignId, ({ added, updated }) => {
    if (added + updated === 0) return
    setLead(blank)
    close()
  })
  const result = add.results?.results[0]
  const set = (name: keyof LeadItem) => (value: string) => {
    add.forget()
    setLead({ ...lead, [name]: value })
  }
  const filled = Object.fromEntries(Object.entries(lead).filter(([, value]) => value !== '')) as LeadItem
  return (
    <Dialog title={text.addTitle} open={open} close={close} foot={null}>
      <Form
        operation="addCampaignLeads"
        submit={() => add.submit(filled)}
        submitLabel={add.question === null ? text.addButton : addText.addAnyway}
        busy={add.busy}
        error={add.error}
      >
        <TextField label={text.email} type="email" value={lead.email ?? ''} change={set('email')} />
        <Pair>
          <TextField label={text.firstName} value={lead.firstName ?? ''} change={set('firstName')} />
          <TextField label={text.lastName} value={lead.lastName ?? ''} change={set('lastName')} />
        </Pair>
        <Pair>
          <TextField label={text.company} value={lead.company ?? ''} change={set('company')} />
          <TextField label={text.jobTitle} value={lead.jobTitle ?? ''} change={set('jobTitle')} />
        </Pair>
        <AddQuestion question={add.question} />
        {result !== undefined && (result.outcome === 'skipped' || result.outcome === 'invalid') && (
          <Note tone="warn" role="alert">
            <p>{text.outcome[result.outcome] + (result.reason === null ? '' : text.reasons[result.reason])}</p>
          </Note>
        )}
      </Form>
    </Dialog>
  )
}
