import type { Person } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { Filters, SearchFilter, useSearchParams } from '../platform/form/index.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Empty, Link, LinkButton, Page, Panel } from '../platform/ui/index.ts'
import { TagFilter } from '../tags/index.ts'
import { text } from './people.messages.ts'

export function PeoplePage() {
  const [{ q, tag }] = useSearchParams()
  const paths = usePaths()
  const filter = { ...(q !== undefined && { q }), ...(tag !== undefined && { tagId: tag }) }
  const filtered = Object.keys(filter).length > 0
  return (
    <Page title={text.title} actions={<LinkButton to={paths.erasures}>{text.erasures}</LinkButton>}>
      <Filters label={text.filters}>
        <SearchFilter label={text.search} />
        <TagFilter />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={{
            key: ['people', 'list', filter],
            page: (api, place) => api.leads.list({ ...filter, ...place }).page(),
          }}
          columns={personColumns(paths.person)}
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

function personColumns(to: (id: string) => string): Column<Person>[] {
  return [
    { name: text.email, cell: ({ id, email }) => <Link to={to(id)}>{email}</Link> },
    { name: text.name, cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') },
    { name: text.company, cell: ({ company }) => company },
    { name: text.campaigns, number: true, cell: ({ campaigns }) => numberText(campaigns.length) },
    { name: text.lastContacted, cell: ({ lastContactedAt }) => lastContactedAt && <Time at={lastContactedAt} short /> },
    { name: text.suppressed, cell: ({ suppressed }) => suppressed && <Badge tone="warn">{text.suppressed}</Badge> },
  ]
}
