import encodeQR from 'qr'
import styles from './ui.module.css'

/** Drawn here, of one path: no picture is asked for, so nobody else hears of what is in it. */
export function QrCode({ label, value }: { label: string; value: string }) {
  const rows = encodeQR(value, 'raw', { border: quietModules })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={styles['qr']} role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={path} />
    </svg>
  )
}

/** White around it, without which readers do not find it. */
const quietModules = 4
