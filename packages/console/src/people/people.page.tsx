import type { Person } from '@overture/sdk'
import { useState } from 'react'
import { addPersonText, AddSeveral, leadFromPerson } from '../leads/index.ts'
import { AddToList, listText } from '../lists/index.ts'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import type { ListReading } from '../platform/api/query.ts'
import { ChooseRow, Filters, SearchFilter, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable, useSelection, type Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, Empty, Link, LinkButton, Page, Panel } from '../platform/ui/index.ts'
import { BulkTags, TagFilter, tagText } from '../tags/index.ts'
import { text } from './people.messages.ts'

export function PeoplePage() {
  const [{ q, tag }] = useSearchParams()
  const paths = usePaths()
  const filter = { ...(q !== undefined && { q }), ...(tag !== undefined && { tagId: tag }) }
  const filtered = Object.keys(filter).length > 0
  const reading: ListReading<Person> = {
    key: ['people', 'list', filter],
    page: (api, place) => api.leads.list({ ...filter, ...place }).page(),
    isCapped: q !== undefined,
  }
  const selection = useSelection<Person>(JSON.stringify(filter))
  return (
    <Page title={text.title} actions={<LinkButton to={paths.erasures}>{text.erasures}</LinkButton>}>
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
        <TagFilter />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={reading}
          columns={personColumns(
            {
              person: paths.person,
              company: (name) => `${paths.people}?${new URLSearchParams({ q: name }).toString()}`,
            },
            selection,
          )}
          above={(total, shown) => (
            <BulkTags of="people" selection={selection} shown={shown} every={{ total, page: reading.page }}>
              <AddPeople selection={selection} />
              <ListPeople selection={selection} />
            </BulkTags>
          )}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/leads" query={filter} />}
          empty={
            <Empty title={filtered ? text.noneFit : text.none}>{filtered ? text.noneFitText : text.noneText}</Empty>
          }
        />
      </Panel>
    </Page>
  )
}

/** Adds the selected people to a campaign. */
function AddPeople({ selection: { items, clear } }: { selection: Selection<Person> }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button small operation="addCampaignLeads" onClick={() => setOpen(true)}>
        {addPersonText.addTitle}
      </Button>
      {open && (
        <AddSeveral leads={items.map(leadFromPerson)} people={items} close={() => setOpen(false)} done={clear} />
      )}
    </>
  )
}

/** Adds the selected people to a list. */
function ListPeople({ selection: { items, clear } }: { selection: Selection<Person> }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button small operation="addListMembers" onClick={() => setOpen(true)}>
        {listText.addToList}
      </Button>
      {open && <AddToList people={items.map(leadFromPerson)} close={() => setOpen(false)} done={clear} />}
    </>
  )
}

interface PersonLinks {
  person: (id: string) => string
  /** The people of a company. */
  company: (name: string) => string
}

function personColumns(to: PersonLinks, selection: Selection<Person>): Column<Person>[] {
  return [
    {
      name: text.email,
      cell: (person) => (
        <ChooseRow
          label={tagText.select(person.email)}
          checked={selection.has(person.id)}
          change={() => selection.toggle(person)}
        >
          <Link to={to.person(person.id)}>{person.email}</Link>
        </ChooseRow>
      ),
    },
    { name: text.name, cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') },
    {
      name: text.company,
      cell: ({ company }) => company !== null && <Link to={to.company(company)}>{company}</Link>,
    },
    { name: text.campaigns, number: true, cell: ({ campaigns }) => numberText(campaigns.length) },
    { name: text.lastContacted, cell: ({ lastContactedAt }) => lastContactedAt && <Time at={lastContactedAt} short /> },
    { name: text.suppressed, cell: ({ suppressed }) => suppressed && <Badge tone="warn">{text.suppressed}</Badge> },
  ]
}
