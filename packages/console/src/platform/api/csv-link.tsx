import { text } from '../text/platform.messages.ts'
import { useEnvironment } from './environment.tsx'

/** A list as a file: a plain link, which sends no headers, so that its environment stands in it. */
export function CsvLink({
  path,
  query = {},
}: {
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
}) {
  const environment = useEnvironment()
  const parts = Object.entries({ ...query, format: 'csv', environment }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return (
    <a href={`${path}?${new URLSearchParams(parts).toString()}`} download>
      {text.download}
    </a>
  )
}
