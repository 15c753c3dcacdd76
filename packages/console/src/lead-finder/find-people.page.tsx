import type { PersonSearchResult, SearchPeopleInput } from '@overture/sdk'
import { departments, headcountRanges, seniorities } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { useState } from 'react'
import { ChooseBox, Form, Pair, SelectField, TextField, useSearchParams } from '../platform/form/index.ts'
import { type Column, Table, useSelection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, ErrorNote, Panel, Row, Stack } from '../platform/ui/index.ts'
import { AddToCampaign } from './add-to-campaign.panel.tsx'
import { AddToList, listText } from '../lists/index.ts'
import { text } from './finder.messages.ts'
import { useFindPeople, usePrices, useReveal } from './finder.queries.ts'
import { FinderPage, Found, splitValues } from './frame.panel.tsx'
import { Several, type RevealedAddresses, type SelectedPerson } from './several.panel.tsx'

const names = [
  'jobTitle',
  'companyName',
  'seniority',
  'department',
  'industry',
  'headcountRange',
  'personLocation',
  'technology',
] as const
type FilterName = (typeof names)[number]
const lists: readonly FilterName[] = [
  'seniority',
  'department',
  'industry',
  'headcountRange',
  'personLocation',
  'technology',
]

/** Searches people by what they do and where. The price of each action is on its button. */
export function FindPeoplePage() {
  const [params, keepParams] = useSearchParams()
  const [filters, setFilters] = useState<Partial<Record<FilterName, string>>>(() =>
    Object.fromEntries(names.map((name) => [name, params[name] ?? ''])),
  )
  const find = useFindPeople()
  const begin = (page: number): void => {
    keepParams(filters as Record<string, string>)
    find.mutate({ ...searchInput(filters), page })
  }
  return (
    <FinderPage tab="people">
      <FilterForm
        filters={filters}
        change={setFilters}
        begin={() => begin(1)}
        busy={find.isPending}
        error={find.error}
      />
      <Found of={find} begin={begin}>
        {(results) => <Results people={results} />}
      </Found>
    </FinderPage>
  )
}

function searchInput(filters: Partial<Record<FilterName, string>>): SearchPeopleInput {
  const entries = Object.entries(filters).filter(([, value]) => value !== '' && value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, lists.includes(name as FilterName) ? splitValues(value) : value]),
  )
}

interface FilterFormProps {
  filters: Partial<Record<FilterName, string>>
  change: (filters: Partial<Record<FilterName, string>>) => void
  begin: () => void
  busy: boolean
  error: unknown
}

function FilterForm({ filters, change, begin, busy, error }: FilterFormProps) {
  const prices = usePrices().data
  const set = (name: FilterName) => (value: string) => change({ ...filters, [name]: value })
  const written = (name: FilterName, hint = true) => (
    <TextField
      label={text[name]}
      optional
      {...(hint && { hint: text.several })}
      value={filters[name] ?? ''}
      change={set(name)}
    />
  )
  const choice = (name: FilterName, choices: readonly { value: string; label: string }[]) => (
    <SelectField
      label={text[name]}
      value={filters[name] ?? ''}
      change={set(name)}
      choices={[{ value: '', label: text.any }, ...choices]}
    />
  )
  return (
    <Panel label={text.title}>
      <Form
        operation="searchPeople"
        submit={begin}
        submitLabel={text.search(numberText(prices?.search.creditsPerPage ?? 1))}
        busy={busy}
        error={error}
      >
        <Pair>
          {written('jobTitle', false)}
          {choice(
            'seniority',
            seniorities.map((value) => ({ value, label: text.seniorities[value] })),
          )}
          {choice(
            'department',
            departments.map((value) => ({ value, label: text.departments[value] })),
          )}
          {choice(
            'headcountRange',
            headcountRanges.map((value) => ({ value, label: value })),
          )}
        </Pair>
        <Pair>
          {written('companyName', false)}
          {written('industry')}
          {written('personLocation')}
          {written('technology')}
        </Pair>
      </Form>
    </Panel>
  )
}

function Results({ people }: { people: readonly PersonSearchResult[] }) {
  const [revealed, setRevealed] = useState<RevealedAddresses>({})
  const selection = useSelection<SelectedPerson>(people.map(({ personId }) => personId).join(' '))
  const [adding, setAdding] = useState<PersonSearchResult | null>(null)
  const [listing, setListing] = useState<PersonSearchResult | null>(null)
  const reveal = useReveal()
  const price = usePrices().data?.reveal.email ?? 1
  const found = (personId: string, address: string | null): void =>
    setRevealed((now) => ({ ...now, [personId]: address }))
  const show = (personId: string): void => reveal.mutate(personId, { onSuccess: ({ value }) => found(personId, value) })
  const columns: Column<PersonSearchResult>[] = [
    {
      name: text.name,
      cell: (person) => (
        <Row>
          <ChooseBox
            label={text.select(`${person.firstName} ${person.lastName}`)}
            checked={selection.has(person.personId)}
            change={() => selection.toggle({ ...person, id: person.personId })}
          />
          {`${person.firstName} ${person.lastName}`}
        </Row>
      ),
    },
    { name: text.jobTitle, cell: ({ jobTitle }) => jobTitle },
    { name: text.company, cell: ({ company }) => company },
    { name: text.location, cell: ({ city, country }) => [city, country].filter(Boolean).join(', ') },
    {
      name: text.email,
      cell: ({ personId, emailMasked }) => (personId in revealed ? (revealed[personId] ?? text.notFound) : emailMasked),
    },
    {
      name: text.add,
      cell: (person) =>
        person.personId in revealed ? (
          revealed[person.personId] !== null && (
            <Stack tight>
              <Button small operation="addCampaignLeads" onClick={() => setAdding(person)}>
                {text.add}
              </Button>
              <Button small quietReason operation="addListMembers" onClick={() => setListing(person)}>
                {listText.addToList}
              </Button>
            </Stack>
          )
        ) : (
          <Button
            small
            operation="revealField"
            busy={reveal.isPending && reveal.variables === person.personId}
            disabledReason={person.emailMasked === '' ? text.notFound : null}
            quietReason
            onClick={() => show(person.personId)}
          >
            {text.reveal(numberText(price))}
          </Button>
        ),
    },
  ]
  return (
    <>
      <ErrorNote error={reveal.error} />
      <Several
        selection={selection}
        all={people.map((person) => ({ ...person, id: person.personId }))}
        revealed={revealed}
        found={found}
      />
      <Table label={text.list} columns={columns} rows={people} rowKey={({ personId }) => personId} />
      {listing !== null && (
        <AddToList people={[{ ...listing, email: revealed[listing.personId] ?? '' }]} close={() => setListing(null)} />
      )}
      {adding !== null && (
        <AddToCampaign person={adding} email={revealed[adding.personId] ?? ''} close={() => setAdding(null)} />
      )}
    </>
  )
}
