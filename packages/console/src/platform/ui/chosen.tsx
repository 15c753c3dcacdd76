import { useLayoutEffect, useRef, type ReactNode } from 'react'
import styles from './ui.module.css'

/** The actions for selected rows, shown above the list while rows are selected. */
export function Chosen({ label, count, children }: { label: string; count: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const place = bar.current?.parentElement ?? null
    return () => focusList(place)
  }, [])
  return (
    <section ref={bar} className={styles['chosen']} aria-label={label}>
      <strong role="status">{count}</strong>
      {children}
    </section>
  )
}

/**
 * Focuses the list below the actions when they disappear together with the focused button. Otherwise a user of the keyboard would start
 * again at the beginning of the page. A dialog of the actions gives its focus back first.
 */
function focusList(place: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const target =
      place?.querySelector<HTMLElement>('[role=group][tabindex="0"]') ??
      place?.querySelector<HTMLElement>('input[type=checkbox]') ??
      document.querySelector<HTMLElement>('h1')
    target?.focus({ preventScroll: true })
  })
}
