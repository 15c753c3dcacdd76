import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Link } from './link.tsx'
import styles from './ui.module.css'

/** Tabs are links with their own URL, so that the Back button works. */
export function Tabs({ label, items }: { label: string; items: readonly { to: string; label: string }[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // If not all tabs fit, scrolls to the open one.
    const [bar, current] = [nav.current, nav.current?.querySelector<HTMLElement>('[aria-current]')]
    if (bar && current) bar.scrollLeft = current.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2
  }, [path])
  return (
    <nav className={styles['tabs']} aria-label={label} ref={nav}>
      {items.map(({ to, label: name }) => (
        <Link key={to} to={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
