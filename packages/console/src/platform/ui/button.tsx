import { useId, type AnchorHTMLAttributes, type ButtonHTMLAttributes, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { Link, type LinkProps } from './link.tsx'
import styles from './ui.module.css'

export interface Look {
  look?: 'primary' | 'danger' | 'quiet' | undefined
  small?: boolean
  icon?: boolean
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Why it can't be used now. It stays, so that one knows that there is such a thing. */
  disabledReason?: string | null | undefined
  /** The reason is said by something beside it. */
  quietReason?: boolean
  busy?: boolean
}

export function Button({
  look,
  small,
  icon,
  disabledReason,
  quietReason = false,
  busy = false,
  onClick,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const reason = disabledReason ?? null
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

export function LinkButton({ look, small, ...rest }: LinkProps & Look) {
  return <Link {...rest} className={classes(styles['button'], look && styles[look], small && styles['small'])} />
}

/** To a file of the server: the browser stores it, and the page stays. */
export function DownloadLink({ look, small, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & Look) {
  return <a download {...rest} className={classes(styles['button'], look && styles[look], small && styles['small'])} />
}

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles['row']}>{children}</div>
}
