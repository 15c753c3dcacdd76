import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { matchTyped, nothingTyped, typeLetter, type TypedLetters } from '../keys/type-ahead.ts'
import { usePermissionReason } from '../session/permission.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './ui.module.css'

export interface MenuItem {
  label: string
  act: () => void
  danger?: boolean
}

export interface MenuProps {
  label: string
  items: readonly MenuItem[]
  small?: boolean
  /** The operation of all items, if one role may call it. */
  operation?: RestrictedOperation | undefined
  children: ReactNode
}

/**
 * A button with a menu of actions. Arrow keys and the first letters of an action move in the menu. Escape closes it and returns the focus
 * to the button.
 */
export function Menu({ operation, ...props }: MenuProps) {
  if (usePermissionReason(operation) === null) return <AllowedMenu {...props} />
  return (
    <Button quietReason operation={operation} small={props.small === true} aria-label={props.label}>
      {props.children}
    </Button>
  )
}

function AllowedMenu({ label, items, small = false, children }: Omit<MenuProps, 'operation'>) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const trigger = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const typed = useRef<TypedLetters>(nothingTyped)
  useEffect(() => {
    if (!open) return undefined
    typed.current = nothingTyped
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const away = (event: PointerEvent): void => {
      if (
        !(event.target instanceof Node) ||
        (!list.current?.contains(event.target) && !trigger.current?.contains(event.target))
      )
        setOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open])
  const close = (): void => {
    setOpen(false)
    trigger.current?.focus()
  }
  const pressed = (event: KeyboardEvent): void => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }
    const place = places[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (place !== undefined) entries.at(place % entries.length)?.focus()
    else if (isLetter(event)) focusTyped(event, typed, entries)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles['menuPlace']}>
      <button
        type="button"
        ref={trigger}
        className={classes(styles['button'], small && styles['small'])}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          className={styles['menu']}
          tabIndex={-1}
          onKeyDown={pressed}
        >
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={classes(styles['menuItem'], item.danger && styles['bad'])}
              onClick={() => {
                close()
                item.act()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function focusTyped(
  { key, timeStamp }: KeyboardEvent,
  typed: RefObject<TypedLetters>,
  entries: readonly HTMLElement[],
): void {
  typed.current = typeLetter(typed.current, key, timeStamp)
  const labels = entries.map(({ textContent }) => textContent)
  const current = entries.indexOf(document.activeElement as HTMLElement)
  entries[matchTyped(labels, current, typed.current.letters)]?.focus()
}

// Space activates the focused action.
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
