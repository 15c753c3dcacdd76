import { text } from '../text/platform.messages.ts'
import { DownloadLink } from '../ui/button.tsx'
import { useEnvironment } from './environment.tsx'

export interface CsvLinkProps {
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** A link that downloads the whole list with its filters. The server makes the file, and escapes cells that a spreadsheet would run. */
export function CsvLink({ path, query = {} }: CsvLinkProps) {
  // A link can't send headers, so the environment of the session is in the URL.
  const csvQuery = { ...query, format: 'csv', environment: useEnvironment() }
  const given = Object.entries(csvQuery).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return (
    <DownloadLink small look="quiet" href={`${path}?${new URLSearchParams(given)}`}>
      {text.download}
    </DownloadLink>
  )
}
