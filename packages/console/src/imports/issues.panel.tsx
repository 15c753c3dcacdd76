import { numberText } from '../platform/time/format.ts'
import { Lines, Panel, Soft } from '../platform/ui/index.ts'
import { text } from './imports.messages.ts'
import type { Inspection } from './imports.queries.ts'

const shownMax = 20

/** The rows that the import will refuse, shown before it starts. */
export function Issues({ issues }: { issues: Inspection['issues'] }) {
  if (issues.length === 0) return null
  const hidden = issues.length - shownMax
  return (
    <Panel title={text.issues}>
      <Lines label={text.issues}>
        {issues.slice(0, shownMax).map(({ row, code, column, message }, index) => (
          <li key={`${row}${code}${index}`}>
            <span>
              {text.issuePlace(row === 0 ? null : numberText(row), column ?? null)}: {text.issueCodes[code]}{' '}
              {message !== undefined && <Soft>{message}</Soft>}
            </span>
          </li>
        ))}
      </Lines>
      {hidden > 0 && <p>{text.moreIssues(numberText(hidden))}</p>}
    </Panel>
  )
}
