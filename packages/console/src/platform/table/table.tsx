import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { numberText } from '../time/format.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { useNarrow } from './narrow.ts'
import styles from './table.module.css'

/** A column is a value: what it is called and what a row shows there. */
export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  number?: boolean
}

export interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Of the whole list, where only a part of it is here. */
  totalCount?: number
  more?: (() => void) | null
  /** Older rows are shown until newer ones are there. */
  busy?: boolean
  foot?: ReactNode
}

const rowHeight = 40
const rowHeightNarrow = 76
const overscan = 6

/** However many rows there are, a few dozen are in the page; it is a table all the same, and says how long it is. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  totalCount = rows.length,
  more = null,
  busy = false,
  foot,
}: TableProps<Row>) {
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={styles['scroll']} ref={scroll} tabIndex={0} role="region" aria-label={label}>
        <table
          className={classes(styles['table'], busy && styles['busy'])}
          aria-label={label}
          aria-rowcount={totalCount + 1}
          aria-busy={busy || undefined}
          role="table"
        >
          <thead role="rowgroup">
            <tr aria-rowindex={1} role="row">
              {columns.map(({ name, number }) => (
                <th
                  key={name}
                  scope="col"
                  role="columnheader"
                  className={number === true ? styles['number'] : undefined}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            <Space height={before} columns={columns.length} />
            {shown.map(({ index }) => (
              <TableRow key={rowKey(rows[index]!)} row={rows[index]!} index={index} columns={columns} />
            ))}
            <Space height={after} columns={columns.length} />
          </tbody>
        </table>
      </div>
      {(more !== null || foot !== undefined || totalCount > rows.length) && (
        <div className={styles['foot']}>
          <span>{text.rows(numberText(totalCount))}</span>
          {foot}
          {more !== null && (
            <Button small look="quiet" onClick={more} busy={busy}>
              {text.more}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function TableRow<Row>({ row, index, columns }: { row: Row; index: number; columns: readonly Column<Row>[] }) {
  return (
    <tr aria-rowindex={index + 2} role="row">
      {columns.map(({ name, cell, number }) => (
        <td key={name} role="cell" className={number === true ? styles['number'] : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr className={styles['space']} aria-hidden>
      <td colSpan={columns} ref={(cell) => void (cell !== null && cell.style.setProperty('height', `${height}px`))} />
    </tr>
  )
}
