import { useReading } from '../platform/api/query.ts'
import { numberText } from '../platform/time/format.ts'
import { Lines, Shown, Soft } from '../platform/ui/index.ts'
import { text } from './imports.messages.ts'
import { rejectedRows } from './rejected-rows.ts'

const shownMax = 100

/** Shows the rows that an import rejected, with the reasons. The downloaded file has all rejected rows with all cells. */
export function RejectedRows({ importId }: { importId: string }) {
  const file = useReading({
    key: ['imports', 'errors', importId],
    read: async (api) => rejectedRows(await api.imports.errors(importId, { limit: shownMax }), shownMax),
  })
  return (
    <Shown of={file}>
      {(rows) => (
        <Lines label={text.rejected}>
          {rows.map(({ row, code, message }, index) => (
            <li key={`${row} ${index}`}>
              <span>
                {text.issuePlace(numberText(row), null)}: {reasonWords(code)} {message !== '' && <Soft>{message}</Soft>}
              </span>
            </li>
          ))}
        </Lines>
      )}
    </Shown>
  )
}

function reasonWords(code: string): string {
  return (text.issueCodes as Readonly<Record<string, string>>)[code] ?? code
}
