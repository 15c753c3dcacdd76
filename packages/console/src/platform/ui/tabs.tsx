import { useRouterState } from '@tanstack/react-router'
import { Link } from './link.tsx'
import styles from './ui.module.css'

/** Tabs are places: each is a link, and Back works. */
export function Tabs({ label, items }: { label: string; items: readonly { to: string; label: string }[] }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <nav className={styles['tabs']} aria-label={label}>
      {items.map(({ to, label: name }) => (
        <Link key={to} to={to} aria-current={path === to || path.startsWith(`${to}/`) ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
