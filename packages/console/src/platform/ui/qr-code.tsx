import encodeQR from 'qr'
import styles from './ui.module.css'

/** The code is drawn here as one path. No image is requested, so no other server learns its content. */
export function QrCode({ label, value }: { label: string; value: string }) {
  const rows = encodeQR(value, 'raw', { border: quietModules })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={styles['qr']} role="img" aria-label={label} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <path d={path} />
    </svg>
  )
}

/** The white border, without which readers don't find the code. */
const quietModules = 4
