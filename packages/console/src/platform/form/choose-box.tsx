import type { ReactNode } from 'react'
import styles from './form.module.css'

/** Selects or deselects a row. The area around the box is large enough for a finger. */
export function ChooseBox({ label, checked, change }: { label: string; checked: boolean; change: () => void }) {
  return (
    <label className={styles['choose']}>
      <input type="checkbox" aria-label={label} checked={checked} onChange={change} />
    </label>
  )
}

/** The first cell of a row that can be selected: the box, and the link of the row. */
export function ChooseRow({ children, ...box }: Parameters<typeof ChooseBox>[0] & { children: ReactNode }) {
  return (
    <span className={styles['chooseRow']}>
      <ChooseBox {...box} />
      {children}
    </span>
  )
}
