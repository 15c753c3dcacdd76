import type { PathAnalytics } from '@overture/sdk'
import { Table, type Column } from '../platform/table/index.ts'
import { currentLocale } from '../platform/text/words.ts'
import { numberText, percentText } from '../platform/time/format.ts'
import { Lines, Panel } from '../platform/ui/index.ts'
import { text } from './analytics.messages.ts'

type PositionOf = (stepId: string) => number | undefined

/** Where leads went at each branch, as a sentence, and their results there, as a table. */
export function PathsPanel({ paths, position }: { paths: readonly PathAnalytics[]; position: PositionOf }) {
  if (paths.length === 0) return null
  const stepIds = [...new Set(paths.map(({ stepId }) => stepId))]
  const columns: Column<PathAnalytics>[] = [
    { name: text.step, cell: ({ stepId }) => numbered(position(stepId)) },
    { name: text.way, cell: wayText },
    { name: text.leads, number: true, cell: ({ leads }) => numberText(leads) },
    { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
    { name: text.replied, number: true, cell: ({ uniqueReplied }) => numberText(uniqueReplied) },
    { name: text.repliedOfDelivered, number: true, cell: ({ rates }) => percentText(rates.reply) },
    { name: text.meetings, number: true, cell: ({ meetingsBooked }) => numberText(meetingsBooked) },
  ]
  return (
    <Panel title={text.paths}>
      <Lines label={text.paths}>
        {stepIds.map((stepId) => (
          <li key={stepId}>
            {pathSentence(
              paths.filter((path) => path.stepId === stepId),
              numbered(position(stepId)),
            )}
          </li>
        ))}
      </Lines>
      <Table
        label={text.paths}
        columns={columns}
        rows={paths}
        rowKey={({ stepId, branchId }) => `${stepId}${branchId ?? ''}`}
      />
    </Panel>
  )
}

function numbered(position: number | undefined): string {
  return position === undefined ? text.gone : numberText(position)
}

function wayText({ branchId, label }: PathAnalytics): string {
  return branchId === null ? text.noWay : (label ?? text.gone)
}

function pathSentence(paths: readonly PathAnalytics[], step: string): string {
  const all = paths.reduce((sum, { leads }) => sum + leads, 0)
  const ways = paths.map((path) => text.wayTaken(wayText(path), numberText(path.leads)))
  return text.pathSentence(
    numberText(all),
    step,
    new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(ways),
  )
}
