import { numberText } from '../platform/time/format.ts'
import { Lines, Panel, Soft } from '../platform/ui/index.ts'
import { text } from './imports.messages.ts'
import type { Inspection } from './imports.queries.ts'
import { spreadsheetRow } from './rejected-rows.ts'

const shownMax = 20

/** The rows that the import will refuse, shown before it starts. */
export function Issues({ inspection: { issues, columns } }: { inspection: Inspection }) {
  if (issues.length === 0) return null
  const rows = Math.max(...columns.map(({ filled }) => filled), 0)
  const [rejected, skipped] = [countRows(issues, isRejected), countRows(issues, ({ code }) => code === 'duplicate')]
  const hidden = issues.length - shownMax
  return (
    <Panel title={text.issues}>
      {rejected > 0 && <p>{text.rejectedAhead(numberText(rejected), numberText(Math.max(rows, rejected)))}</p>}
      {skipped > 0 && <p>{text.skippedAhead(numberText(skipped))}</p>}
      <Lines label={text.issues}>
        {issues.slice(0, shownMax).map(({ row, code, column, message }, index) => (
          <li key={`${row}${code}${index}`}>
            <span>
              {text.issuePlace(row === 0 ? null : numberText(spreadsheetRow(row)), column ?? null)}:{' '}
              {text.issueCodes[code]} {message !== undefined && <Soft>{message}</Soft>}
            </span>
          </li>
        ))}
      </Lines>
      {hidden > 0 && <p>{text.moreIssues(numberText(hidden))}</p>}
    </Panel>
  )
}

type Issue = Inspection['issues'][number]

function isRejected({ row, code }: Issue): boolean {
  return row > 0 && code !== 'duplicate' && code !== 'other_encoding'
}

/** The number of rows with such an issue. A row can have several. */
function countRows(issues: readonly Issue[], matches: (issue: Issue) => boolean): number {
  return new Set(issues.filter(matches).map(({ row }) => row)).size
}
