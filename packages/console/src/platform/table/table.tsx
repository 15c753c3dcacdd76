import type { ReactNode, RefObject } from 'react'
import { classes } from '../ui/classes.ts'
import styles from './table.module.css'

/** A column as a value: its name, and the cell that it shows for a row. */
export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  number?: boolean
  /** Sentences that may take two lines. Other cells are one line and are shortened. */
  wrap?: boolean
}

export interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/** A table of a few rows, which are all rendered. */
export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  return (
    <TableShell label={label} columns={columns} rowCount={rows.length} busy={false}>
      {rows.map((row, index) => (
        <TableRow key={rowKey(row)} row={row} index={index} columns={columns} />
      ))}
    </TableShell>
  )
}

export interface TableShellProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** The number of rows in the whole list, which may be more than are rendered. Null if it is not known. */
  rowCount: number | null
  busy: boolean
  scroll?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

export function TableShell<Row>({ label, columns, rowCount, busy, scroll, children }: TableShellProps<Row>) {
  return (
    <div className={styles['scroll']} ref={scroll} tabIndex={0} role="group" aria-label={label}>
      <table
        className={classes(styles['table'], busy && styles['busy'])}
        aria-label={label}
        aria-rowcount={rowCount === null ? -1 : rowCount + 1}
        aria-busy={busy || undefined}
        role="table"
      >
        <thead role="rowgroup">
          <tr aria-rowindex={1} role="row">
            {columns.map(({ name, number }) => (
              <th key={name} scope="col" role="columnheader" className={number === true ? styles['number'] : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  )
}

export interface TableRowProps<Row> {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  /** Gets the element of the row, to measure its height. */
  measure?: ((element: HTMLTableRowElement | null) => void) | undefined
}

export function TableRow<Row>({ row, index, columns, measure }: TableRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} role="row" ref={measure} data-index={index}>
      {columns.map(({ name, cell, number, wrap }) => (
        <td
          key={name}
          role="cell"
          className={classes(number === true && styles['number'], wrap === true && styles['wrap'])}
          // On narrow screens there is no header row above a number, so the cell shows the name of its column.
          data-label={number === true ? name : undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
