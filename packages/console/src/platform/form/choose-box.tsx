import styles from './form.module.css'

/** Selects or deselects a row. The area around the box is large enough for a finger. */
export function ChooseBox({ label, checked, change }: { label: string; checked: boolean; change: () => void }) {
  return (
    <label className={styles['choose']}>
      <input type="checkbox" aria-label={label} checked={checked} onChange={change} />
    </label>
  )
}
