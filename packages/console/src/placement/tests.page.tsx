import type { PlacementTest } from '@overture/sdk'
import { usePaths, type Paths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Empty, Link, LinkButton, Page, Panel } from '../platform/ui/index.ts'
import { text } from './placement.messages.ts'
import { key } from './placement.queries.ts'

export function PlacementTestsPage() {
  const paths = usePaths()
  const seeds = <LinkButton to={paths.settings('seeds')}>{text.addSeeds}</LinkButton>
  return (
    <Page title={text.tests} lead={text.lead} actions={seeds}>
      <Panel flush label={text.tests}>
        <ListTable
          label={text.tests}
          reading={{ key: [...key, 'list'], page: (api, place) => api.placementTests.list(place).page() }}
          columns={testColumns(paths)}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/placement-tests" />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
    </Page>
  )
}

function testColumns(paths: Paths): Column<PlacementTest>[] {
  const count = (name: 'inbox' | 'tab' | 'spam' | 'missing'): Column<PlacementTest> => ({
    name: text.placements[name],
    number: true,
    cell: ({ counts }) => numberText(counts[name]),
  })
  return [
    {
      name: text.started,
      cell: ({ id, createdAt }) => (
        <Link to={paths.placementTest(id)}>
          <Time at={createdAt} />
        </Link>
      ),
    },
    { name: text.status, cell: ({ status }) => text.statuses[status] },
    count('inbox'),
    count('tab'),
    count('spam'),
    count('missing'),
  ]
}
