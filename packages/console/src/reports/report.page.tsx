import type { Report } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { Time } from '../platform/time/now.tsx'
import { AskFirst, Badge, Button, ErrorNote, Facts, Page, Panel, Row, say, Shown, useGo } from '../platform/ui/index.ts'
import { LastRunPanel } from './last-run.tsx'
import { MailNote } from './mail-note.panel.tsx'
import { NumbersPanel } from './numbers.panel.tsx'
import { ReportDialog } from './report-form.panel.tsx'
import { daysText, type Names, whatText, whenText } from './report-text.ts'
import { useDeleteReport, useRunReport, useUpdateReport } from './reports.actions.ts'
import { text } from './reports.messages.ts'
import { useNames, useReport } from './reports.queries.ts'

/** A report: what it counts, when it runs, what became of its last run, and its numbers. The mail links to this page. */
export function ReportPage() {
  const { id } = usePathParams('/reports/$id')
  const report = useReport(id)
  const names = useNames()
  return (
    <Page
      title={report.data?.name ?? text.one}
      beside={
        report.data && (
          <Badge tone={report.data.active ? 'good' : 'soft'}>{report.data.active ? text.active : text.paused}</Badge>
        )
      }
    >
      <MailNote />
      <Shown of={report}>
        {(data) => (
          <>
            <SchedulePanel report={data} names={names} />
            <LastRunPanel report={data} names={names} />
            {data.lastRun !== null && <NumbersPanel report={data} run={data.lastRun} names={names} />}
          </>
        )}
      </Shown>
    </Page>
  )
}

function SchedulePanel({ report, names }: { report: Report; names: Names }) {
  const { query, recipients, nextRunAt, timezone } = report
  return (
    <Panel title={text.about}>
      <Facts
        items={[
          { label: text.what, value: whatText(query, names) },
          { label: text.days, value: daysText(report) },
          { label: text.when, value: whenText(report) },
          { label: text.nextRun, value: nextRunAt === null ? text.paused : <Time at={nextRunAt} zone={timezone} /> },
          {
            label: text.recipients,
            value: recipients.length === 0 ? text.noRecipients : recipients.map(names.user).join(', '),
          },
        ]}
      />
      <Actions report={report} />
    </Panel>
  )
}

function Actions({ report }: { report: Report }) {
  const { id, active } = report
  const [editing, setEditing] = useState(false)
  const paths = usePaths()
  const go = useGo()
  const run = useRunReport(id, () => say(text.runStarted))
  const toggle = useUpdateReport(id, (after) => say(after.active ? text.resumeDone : text.pauseDone))
  const remove = useDeleteReport(id, () => {
    say(text.removed)
    go(paths.reports, { replace: true })
  })
  return (
    <>
      <Row>
        <Button
          look="primary"
          operation="runReport"
          busy={run.isPending}
          disabledReason={report.lastRun?.status === 'running' ? text.runs : null}
          onClick={() => run.mutate()}
        >
          {text.run}
        </Button>
        <Button operation="updateReport" busy={toggle.isPending} onClick={() => toggle.mutate({ active: !active })}>
          {active ? text.pause : text.resume}
        </Button>
        <Button operation="updateReport" onClick={() => setEditing(true)}>
          {text.edit}
        </Button>
        <AskFirst operation="deleteReport" danger label={text.remove} title={text.removeTitle} action={remove}>
          {text.removeText}
        </AskFirst>
      </Row>
      <ErrorNote error={run.error ?? toggle.error} />
      {editing && (
        <ReportDialog
          report={report}
          close={() => setEditing(false)}
          saved={() => {
            say(text.saved)
            setEditing(false)
          }}
        />
      )}
    </>
  )
}
