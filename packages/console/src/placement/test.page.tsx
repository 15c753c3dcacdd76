import type { PlacementResult, PlacementTest } from '@overture/sdk'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { usePathParams } from '../platform/session/path-params.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { dateText, numberText } from '../platform/time/format.ts'
import { AskFirst, Badge, Page, Panel, Progress, Shown, type Tone } from '../platform/ui/index.ts'
import { text } from './placement.messages.ts'
import { key, usePlacementTest, useStopRepeat } from './placement.queries.ts'

const tones: Readonly<Record<PlacementResult['placement'], Tone>> = {
  pending: 'soft',
  inbox: 'good',
  tab: 'warn',
  spam: 'bad',
  missing: 'bad',
}

export function PlacementTestPage() {
  const { id } = usePathParams('/placement-tests/$id')
  const test = usePlacementTest(id)
  return (
    <Page title={text.title}>
      <Shown of={test}>
        {(data) => (
          <>
            <Summary test={data} />
            <Panel flush title={text.results}>
              <ListTable
                label={text.results}
                reading={{
                  // A result that was found is another answer, so it is read again.
                  key: [...key, id, 'results', data.counts.pending],
                  page: (api, place) => api.placementTests.results(id, place).page(),
                }}
                columns={columns}
                rowKey={(row) => row.id}
                csv={<CsvLink path={`/v2/placement-tests/${id}/results`} />}
                empty={null}
              />
            </Panel>
          </>
        )}
      </Shown>
    </Page>
  )
}

function Summary({ test }: { test: PlacementTest }) {
  const stop = useStopRepeat(test.id)
  const { pending, ...found } = test.counts
  const count = Object.values(found).reduce((sum, one) => sum + one, 0)
  const total = count + pending
  const action = test.nextRunAt !== null && (
    <AskFirst operation="updatePlacementTest" label={text.stop} title={text.stopTitle} action={stop}>
      {text.stopText}
    </AskFirst>
  )
  return (
    <Panel title={text.statuses[test.status]} actions={action}>
      <Progress label={text.progress} value={count} max={total} />
      <p role="status">{text.summary(numberText(count), numberText(total))}</p>
      {test.nextRunAt !== null && <p>{text.repeats(dateText(test.nextRunAt.slice(0, 10)))}</p>}
      {test.repeatEndedBecause !== null && <p>{text.ended[test.repeatEndedBecause]}</p>}
    </Panel>
  )
}

const columns: Column<PlacementResult>[] = [
  { name: text.from, cell: ({ from }) => from },
  { name: text.to, cell: ({ to }) => to },
  {
    name: text.placement,
    cell: ({ placement, problem }) => (
      <Badge tone={problem === null ? tones[placement] : 'soft'}>
        {problem === null ? text.placements[placement] : text.problems[problem]}
      </Badge>
    ),
  },
  {
    name: text.authentication,
    cell: ({ spf, dkim, dmarc }) =>
      spf === null && dkim === null && dmarc === null
        ? text.notTold
        : [spf, dkim, dmarc].map((one) => one ?? '–').join(', '),
  },
  {
    name: text.optOut,
    cell: ({ optOutSigned }) => (optOutSigned === null ? text.notTold : optOutSigned ? text.yes : text.no),
  },
  { name: text.seconds, number: true, cell: ({ seconds }) => (seconds === null ? '' : numberText(seconds)) },
]
