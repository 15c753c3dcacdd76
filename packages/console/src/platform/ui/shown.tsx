import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'violet' | 'soft'

export function Badge({
  tone = 'soft',
  plain = false,
  children,
}: {
  tone?: Tone
  plain?: boolean
  children: ReactNode
}) {
  return <span className={classes(styles['badge'], styles[tone], plain && styles['plainBadge'])}>{children}</span>
}

export function Note({
  tone,
  role,
  children,
}: {
  tone?: 'bad' | 'warn'
  role?: 'alert' | 'status'
  children: ReactNode
}) {
  const look = { bad: styles['noteBad'], warn: styles['noteWarn'] }
  return (
    <div className={classes(styles['note'], tone && look[tone])} role={role}>
      {children}
    </div>
  )
}

/** An empty state: says what will appear here, and offers the first action. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Only shown after a moment, so that data that loads quickly does not flicker. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div className={styles['skeleton']} role="status" aria-label={label}>
      <span />
      <span />
      <span />
    </div>
  )
}

export function Stats({ items }: { items: readonly { label: string; value: string; beside?: string | undefined }[] }) {
  return (
    <dl className={styles['stats']}>
      {items.map(({ label, value, beside }) => (
        <div key={label} className={styles['stat']}>
          <dt>{label}</dt>
          <dd>
            {value}
            {beside !== undefined && <small>{beside}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Facts({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={styles['facts']}>
      {items.map(({ label, value }) => (
        <FactRow key={label} label={label} value={value} />
      ))}
    </dl>
  )
}

function FactRow({ label, value }: { label: string; value: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  )
}

export function Lines({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {children}
    </ul>
  )
}

export function Soft({ children }: { children: ReactNode }) {
  return <span className={styles['soft']}>{children}</span>
}

export function Grow({ children }: { children: ReactNode }) {
  return <div className={styles['grow']}>{children}</div>
}
