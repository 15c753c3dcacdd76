import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './ui.module.css'

export interface MenuItem {
  label: string
  act: () => void
  disabled?: boolean
  danger?: boolean
}

export function Menu({ label, children, items }: { label: string; children: ReactNode; items: readonly MenuItem[] }) {
  return (
    <Base.Root>
      <Base.Trigger className={styles['button']} aria-label={label}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end">
          <Base.Popup className={styles['menu']}>
            {items.map((item) => (
              <Base.Item
                key={item.label}
                disabled={item.disabled ?? false}
                className={classes(styles['menuItem'], item.danger && styles['bad'])}
                onClick={item.act}
              >
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
