import type { Report } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { type Column, ListTable } from '../platform/table/index.ts'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, Empty, Link, Page, Panel, say, useGo } from '../platform/ui/index.ts'
import { LastRunBadge } from './last-run.tsx'
import { MailNote } from './mail-note.panel.tsx'
import { ReportDialog } from './report-form.panel.tsx'
import { type Names, runText, whatText, whenText } from './report-text.ts'
import { text } from './reports.messages.ts'
import { reportList, useNames } from './reports.queries.ts'

/** The scheduled reports, with what became of the last run of each. */
export function ReportsPage() {
  const [adding, setAdding] = useState(false)
  const paths = usePaths()
  const go = useGo()
  const names = useNames()
  const add = (
    <Button look="primary" operation="createReport" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <Page title={text.title} lead={text.lead} actions={add}>
      <MailNote />
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={reportList}
          columns={reportColumns(paths.report, names)}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/reports" />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
      {adding && (
        <ReportDialog
          report={null}
          close={() => setAdding(false)}
          saved={({ id }) => {
            say(text.added)
            go(paths.report(id))
          }}
        />
      )}
    </Page>
  )
}

function reportColumns(to: (id: string) => string, names: Names): Column<Report>[] {
  return [
    { name: text.name, cell: ({ id, name }) => <Link to={to(id)}>{name}</Link> },
    { name: text.what, wrap: true, cell: ({ query }) => whatText(query, names) },
    { name: text.when, wrap: true, cell: whenText },
    {
      name: text.nextRun,
      cell: ({ nextRunAt, timezone }) =>
        nextRunAt === null ? <Badge>{text.paused}</Badge> : <Time at={nextRunAt} zone={timezone} />,
    },
    {
      name: text.lastRun,
      wrap: true,
      cell: (report) => (
        <>
          {report.lastRun !== null && <LastRunBadge run={report.lastRun} />} {runText(report, names)}
        </>
      ),
    },
  ]
}
