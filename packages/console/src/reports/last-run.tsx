import type { Report, ReportRun } from '@overture/sdk'
import { Time } from '../platform/time/now.tsx'
import { Badge, Facts, Lines, Note, Panel, Progress, type Tone } from '../platform/ui/index.ts'
import { type Names, rangeText, resultText, skippedText } from './report-text.ts'
import { statusText, text } from './reports.messages.ts'

const tones: Readonly<Record<ReportRun['status'], Tone>> = {
  running: 'accent',
  sent: 'good',
  announced: 'good',
  failed: 'bad',
}

export function LastRunBadge({ run: { status } }: { run: ReportRun }) {
  return <Badge tone={tones[status]}>{statusText[status]}</Badge>
}

/** The last run of a report: its progress, then who got the report, and who was skipped and why. */
export function LastRunPanel({ report, names }: { report: Report; names: Names }) {
  const { lastRun, recipients, timezone } = report
  if (lastRun === null)
    return (
      <Panel title={text.lastRun}>
        <p>{text.never}</p>
      </Panel>
    )
  const { at, status, from, to, skipped } = lastRun
  const isFailed = status === 'failed'
  const result = resultText(report, names)
  return (
    <Panel title={text.lastRun} actions={<LastRunBadge run={lastRun} />}>
      {status === 'running' && (
        <Progress
          label={text.progress}
          value={lastRun.deliveredTo.length + skipped.length}
          max={recipients.length === 0 ? null : recipients.length}
        />
      )}
      <div role="status">
        {isFailed ? (
          <Note tone="bad">
            <p>{result}</p>
          </Note>
        ) : (
          <p>{result}</p>
        )}
      </div>
      {skipped.length > 0 && (
        <Lines label={text.skipped}>
          {skipped.map((one) => (
            <li key={one.userId}>{skippedText(one, names)}</li>
          ))}
        </Lines>
      )}
      <Facts
        items={[
          { label: text.at, value: <Time at={at} zone={timezone} /> },
          { label: text.numbersOf, value: rangeText(from, to, timezone) },
        ]}
      />
    </Panel>
  )
}
