import { ApiError, type Report, type ReportRun } from '@overture/sdk'
import { type Column, Table } from '../platform/table/index.ts'
import { Empty, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { numberColumns, type NumbersRow, numbersRows } from './numbers.ts'
import { type Names, rangeText, whatText } from './report-text.ts'
import { text } from './reports.messages.ts'
import { numbersZone, useGroupNames, useNumbers } from './reports.queries.ts'

const columns: readonly Column<NumbersRow>[] = [
  { name: text.group, wrap: true, cell: ({ label }) => label },
  ...numberColumns.map(({ name, show }): Column<NumbersRow> => ({
    name,
    number: true,
    cell: ({ stats }) => show(stats),
  })),
]

interface NumbersPanelProps {
  report: Report
  run: ReportRun
  names: Names
}

/** The table of the mail: the numbers of the days of the last run. */
export function NumbersPanel({ report, run, names }: NumbersPanelProps) {
  const zone = numbersZone(report)
  const numbers = useNumbers(report, run)
  // The campaign or the sender of the query was deleted. The last run has the reason.
  const isGone = ApiError.is(numbers.error) && numbers.error.status === 404
  const groupNames = useGroupNames(zone)
  const caption = text.numbersCaption(whatText(report.query, names), rangeText(run.from, run.to, zone), zone)
  if (isGone) return null
  return (
    <Panel flush title={text.numbers}>
      <Shown of={numbers}>
        {(data) => {
          const rows = numbersRows(data, groupNames)
          return rows.length === 0 ? (
            <Empty title={text.noNumbers}>{caption}</Empty>
          ) : (
            <>
              <Table label={text.numbers} columns={columns} rows={rows} rowKey={({ id }) => id} />
              <Soft>{caption}</Soft>
            </>
          )
        }}
      </Shown>
    </Panel>
  )
}
