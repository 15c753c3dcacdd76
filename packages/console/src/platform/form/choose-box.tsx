import styles from './form.module.css'

/** Takes a row into what one is about to do, or out of it. Around the box there is room for a finger. */
export function ChooseBox({ label, checked, change }: { label: string; checked: boolean; change: () => void }) {
  return (
    <label className={styles['choose']}>
      <input type="checkbox" aria-label={label} checked={checked} onChange={change} />
    </label>
  )
}
