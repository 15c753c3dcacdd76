import { text } from '../text/platform.messages.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/error.tsx'
import { useAction } from './action.ts'
import { csvOf } from './csv.ts'

const rowsMax = 10_000
const rowsPerPage = 100

export interface CsvLinkProps {
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
}

interface Rows {
  results: object[]
  nextCursor: string | null
}

/** A list with its filters as a file, its first ten thousand rows. */
export function CsvLink({ path, query = {} }: CsvLinkProps) {
  const download = useAction<void, string>({
    act: async (api) =>
      csvOf(
        await api
          .list<object, Rows>('GET', path, { query: { ...query, limit: rowsPerPage } })
          .toArray({ max: rowsMax }),
      ),
    done: (csv) => save(`${path.split('/').at(-1)}.csv`, csv),
  })
  return (
    <>
      <Button small look="quiet" busy={download.isPending} onClick={() => download.mutate()}>
        {text.download}
      </Button>
      <ErrorNote error={download.error} />
    </>
  )
}

function save(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
