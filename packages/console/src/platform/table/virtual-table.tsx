import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { type ListTotal, totalText } from '../api/list-total.ts'
import { numberText } from '../time/format.ts'
import { Button } from '../ui/button.tsx'
import { useNarrow } from './narrow.ts'
import { TableRow, TableShell, type Column } from './table.tsx'
import styles from './table.module.css'

export interface VirtualTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The number of rows in the whole list, of which only a part may be loaded. */
  total: ListTotal
  more: (() => void) | null
  /** Whether the table keeps showing the old rows until new rows are loaded. */
  busy: boolean
  foot?: ReactNode
}

const rowHeight = 40
const rowHeightNarrow = 76
const overscan = 6

/** A table that renders only a few dozen of its rows. It is still an accessible table and reports its full row count. */
export function VirtualTable<Row>({ label, columns, rows, rowKey, total, more, busy, foot }: VirtualTableProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (narrow ? rowHeightNarrow : rowHeight),
    overscan,
    initialRect: { width: 1000, height: 800 },
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (more !== null && !busy && last >= rows.length - 1 && rows.length > 0) more()
  }, [last, rows.length, more, busy])
  const before = shown[0]?.start ?? 0
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <>
      <TableShell
        label={label}
        columns={columns}
        rowCount={total.isLeast ? null : total.count}
        busy={busy}
        scroll={scroll}
      >
        <Space height={before} columns={columns.length} />
        {shown.map(({ index }) => (
          <TableRow
            key={rowKey(rows[index]!)}
            row={rows[index]!}
            index={index}
            columns={columns}
            measure={virtual.measureElement}
          />
        ))}
        <Space height={after} columns={columns.length} />
      </TableShell>
      <div className={styles['foot']}>
        <span>{countText({ shown: rows.length, total, ended: more === null && !busy })}</span>
        {foot}
        {more !== null && (
          <Button small look="quiet" onClick={more} busy={busy}>
            {text.more}
          </Button>
        )}
      </div>
    </>
  )
}

function countText({ shown, total, ended }: { shown: number; total: ListTotal; ended: boolean }): string {
  if (ended && shown < total.count) return text.firstRows(numberText(shown), totalText(total))
  return total.count === 1 ? text.row : text.rows(totalText(total))
}

function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr className={styles['space']} aria-hidden>
      <td colSpan={columns} ref={(cell) => void (cell !== null && cell.style.setProperty('height', `${height}px`))} />
    </tr>
  )
}
