import { text } from '../text/platform.messages.ts'
import { DownloadLink } from '../ui/button.tsx'
import { useEnvironment } from './environment.tsx'

export interface CsvLinkProps {
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** A list with its filters as a file, which the server makes: all of it, and nothing that a spreadsheet would run. */
export function CsvLink({ path, query = {} }: CsvLinkProps) {
  // A link has no headers: the environment that a session asks in stands in its address.
  const asked = { ...query, format: 'csv', environment: useEnvironment() }
  const given = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return (
    <DownloadLink small look="quiet" href={`${path}?${new URLSearchParams(given)}`}>
      {text.download}
    </DownloadLink>
  )
}
