import { useState, type ReactNode } from 'react'
import { text } from '../text/platform.messages.ts'
import { Button } from '../ui/button.tsx'
import styles from './chart.module.css'

export interface ChartTable {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
  /** Whether the first cell of a row is its header. */
  rowHeaders?: boolean
}

/** A chart with a sentence that says its message, and all of its numbers as a table. */
export function Figure({
  sentence,
  table,
  label,
  children,
}: {
  sentence: string
  table: ChartTable
  label: string
  children: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className={styles['figure']} aria-label={label}>
      <figcaption className={styles['sentence']}>{sentence}</figcaption>
      {asTable ? <NumbersTable {...table} label={label} /> : children}
      <div>
        <Button small look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? text.showAsChart : text.showAsTable}
        </Button>
      </div>
    </figure>
  )
}

export function NumbersTable({ columns, rows, label, rowHeaders = false }: ChartTable & { label: string }) {
  return (
    <div className={styles['scroll']} tabIndex={0} role="group" aria-label={label}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, index) =>
                rowHeaders && index === 0 ? (
                  <th key={columns[index]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[index]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
