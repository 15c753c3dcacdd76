import styles from './form.module.css'

/** Takes a row into what one is about to do, or out of it. */
export function ChooseBox({ label, checked, change }: { label: string; checked: boolean; change: () => void }) {
  return <input type="checkbox" className={styles['choose']} aria-label={label} checked={checked} onChange={change} />
}
