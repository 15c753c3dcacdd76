import type { ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { ErrorNote } from '../ui/error.tsx'
import { Skeleton } from '../ui/shown.tsx'
import type { ListTotal } from '../api/list-total.ts'
import { useListReading, type ListReading } from '../api/query.ts'
import type { Column } from './table.tsx'
import { VirtualTable } from './virtual-table.tsx'

/** Shows a list of the API as a table, including its loading, empty and error states. */
export function ListTable<Row>(props: {
  label: string
  reading: ListReading<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  empty: ReactNode
  /** A link to the same list as a file. */
  csv?: ReactNode
  /** Shown above the rows; gets the number of all rows, and the loaded ones. */
  above?: (total: ListTotal, rows: readonly Row[]) => ReactNode
}) {
  const { query, items, total, more } = useListReading(props.reading)
  const note = query.error === null ? null : <ErrorNote error={query.error} again={() => void query.refetch()} />
  if (query.data === undefined) return note ?? <Skeleton label={text.loading} />
  if (items.length === 0) return note ?? props.empty
  return (
    <>
      {note}
      {props.above?.(total, items)}
      <VirtualTable
        label={props.label}
        columns={props.columns}
        rows={items}
        rowKey={props.rowKey}
        total={total}
        more={more}
        busy={query.isPlaceholderData || query.isFetchingNextPage}
        foot={props.csv}
      />
    </>
  )
}
