import type { AnchorHTMLAttributes, ReactNode } from 'react'
import styles from './ui.module.css'

/** Content that few people need. The browser opens and closes it. */
export function Details({
  label,
  open = false,
  children,
}: {
  label: string
  /** Whether it opens, for example because a field in it has an error. The user can close it again. */
  open?: boolean
  children: ReactNode
}) {
  return (
    <details className={styles['details']} open={open}>
      <summary>{label}</summary>
      <div className={styles['detailsBody']}>{children}</div>
    </details>
  )
}

/** A link to another site. It opens in a new tab, so that the input on this page is kept. */
export function OutsideLink(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...props} target="_blank" rel="noopener noreferrer" />
}

/** Numbered instructions. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles['steps']}>{children}</ol>
}
