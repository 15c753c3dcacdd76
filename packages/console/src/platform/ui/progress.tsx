import styles from './ui.module.css'

export function Progress({ label, value, max }: { label: string; value: number; max: number | null }) {
  const share = max === null || max === 0 ? 0 : Math.min(value / max, 1)
  return (
    <div
      className={styles['progress']}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(max !== null && { 'aria-valuemax': max, 'aria-valuenow': value })}
    >
      <div ref={(bar) => void (bar !== null && bar.style.setProperty('width', `${share * 100}%`))} />
    </div>
  )
}
