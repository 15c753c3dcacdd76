import type { CompanySearchResult } from '@overture/sdk'
import { headcountRanges } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Form, Pair, SelectField, TextField } from '../platform/form/index.ts'
import { type Column, Table } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Link, Panel } from '../platform/ui/index.ts'
import { text } from './finder.messages.ts'
import { useFindCompanies, usePrices } from './finder.queries.ts'
import { FinderPage, Found, splitValues } from './frame.panel.tsx'

const blank = { companyName: '', industry: '', location: '', headcountRange: '' }

export function FindCompaniesPage() {
  const [filters, setFilters] = useState(blank)
  const prices = usePrices().data
  const find = useFindCompanies()
  const { companyName, industry, location, headcountRange } = filters
  const begin = (page: number): void =>
    find.mutate({
      ...(companyName !== '' && { companyName }),
      ...(industry !== '' && { industry: splitValues(industry) }),
      ...(location !== '' && { location: splitValues(location) }),
      ...(headcountRange !== '' && { headcountRange: [headcountRange] }),
      page,
    })
  const set = (name: keyof typeof blank) => (value: string) => setFilters({ ...filters, [name]: value })
  return (
    <FinderPage tab="companies">
      <Panel label={text.title}>
        <Form
          operation="searchCompanies"
          submit={() => begin(1)}
          submitLabel={text.search(numberText(prices?.search.creditsPerPage ?? 1))}
          busy={find.isPending}
          error={find.error}
        >
          <Pair>
            <TextField label={text.companyName} optional value={companyName} change={set('companyName')} />
            <TextField label={text.industry} optional hint={text.several} value={industry} change={set('industry')} />
            <TextField label={text.location} optional hint={text.several} value={location} change={set('location')} />
            <SelectField
              label={text.headcountRange}
              value={headcountRange}
              change={set('headcountRange')}
              choices={[{ value: '', label: text.any }, ...headcountRanges.map((value) => ({ value, label: value }))]}
            />
          </Pair>
        </Form>
      </Panel>
      <Found of={find} begin={begin}>
        {(results) => <Companies companies={results} />}
      </Found>
    </FinderPage>
  )
}

function Companies({ companies }: { companies: readonly CompanySearchResult[] }) {
  const paths = usePaths()
  const columns: Column<CompanySearchResult>[] = [
    { name: text.company, cell: ({ name }) => name },
    { name: text.domain, cell: ({ domain }) => domain },
    { name: text.industry, cell: ({ industry }) => industry },
    { name: text.employees, number: true, cell: ({ employeeCount }) => numberText(employeeCount) },
    { name: text.location, cell: ({ location }) => location },
    { name: text.founded, number: true, cell: ({ founded }) => String(founded) },
    {
      name: text.findPeople,
      cell: ({ name }) => (
        <Link to={`${paths.finder()}?companyName=${encodeURIComponent(name)}`}>{text.findPeople}</Link>
      ),
    },
  ]
  return <Table label={text.list} columns={columns} rows={companies} rowKey={({ companyId }) => companyId} />
}
