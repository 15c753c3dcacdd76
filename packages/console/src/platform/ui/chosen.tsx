import type { ReactNode } from 'react'
import styles from './ui.module.css'

/** What can be done with what was chosen; it stands above the list while something is. */
export function Chosen({ label, count, children }: { label: string; count: string; children: ReactNode }) {
  return (
    <section className={styles['chosen']} aria-label={label}>
      <strong role="status">{count}</strong>
      {children}
    </section>
  )
}
