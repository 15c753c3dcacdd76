import { useId, type AnchorHTMLAttributes, type ButtonHTMLAttributes, type ReactNode } from 'react'
import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { usePermissionReason } from '../session/permission.ts'
import { classes } from './classes.ts'
import { Link, type LinkProps } from './link.tsx'
import styles from './ui.module.css'

export interface Look {
  look?: 'primary' | 'danger' | 'quiet' | undefined
  small?: boolean
  icon?: boolean
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Why the button can't be used now. It stays visible, so that users know that the action exists. */
  disabledReason?: string | null | undefined
  /** The operation of the button. A user whose role can't do it sees who can. */
  operation?: RestrictedOperation | undefined
  /** Whether the reason is already shown next to the button. */
  quietReason?: boolean
  busy?: boolean
}

export function Button({
  look,
  small,
  icon,
  disabledReason,
  operation,
  quietReason = false,
  busy = false,
  onClick,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const reason = usePermissionReason(operation) ?? disabledReason ?? null
  const button = (
    <button
      type="button"
      {...rest}
      className={classes(
        styles['button'],
        look && styles[look],
        small && styles['small'],
        icon && styles['icon'],
        rest.className,
      )}
      aria-disabled={reason !== null || busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={reason === null ? rest['aria-describedby'] : reasonId}
      title={reason ?? rest.title}
      onClick={(event) => {
        if (reason !== null || busy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
  if (reason === null) return button
  return (
    <span className={styles['withReason']}>
      {button}
      <span id={reasonId} className={quietReason ? 'visually-hidden' : styles['reason']}>
        {reason}
      </span>
    </span>
  )
}

export function LinkButton({ look, small, operation, ...rest }: LinkProps & Look & Pick<ButtonProps, 'operation'>) {
  if (usePermissionReason(operation) !== null)
    return (
      <Button look={look} operation={operation} {...(small !== undefined && { small })}>
        {rest.children}
      </Button>
    )
  return <Link {...rest} className={classes(styles['button'], look && styles[look], small && styles['small'])} />
}

/** A link to a file on the server. The browser stores the file, and the page stays open. */
export function DownloadLink({ look, small, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & Look) {
  return <a download {...rest} className={classes(styles['button'], look && styles[look], small && styles['small'])} />
}

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles['row']}>{children}</div>
}
