import type { ReactNode } from 'react'
import styles from './ui.module.css'

/** The actions for selected rows, shown above the list while rows are selected. */
export function Chosen({ label, count, children }: { label: string; count: string; children: ReactNode }) {
  return (
    <section className={styles['chosen']} aria-label={label}>
      <strong role="status">{count}</strong>
      {children}
    </section>
  )
}
