import type { FormEvent, ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/error.tsx'
import styles from './form.module.css'

export interface FormProps {
  submit: () => void
  submitLabel: string
  busy?: boolean
  error?: unknown
  /** Why it can't be sent now. */
  reason?: string | null
  narrow?: boolean
  beside?: ReactNode
  label?: string
  children: ReactNode
}

/** Nothing typed is lost by a refusal: what the API says stands above the button. */
export function Form({
  submit,
  submitLabel,
  busy = false,
  error,
  reason = null,
  narrow = false,
  beside,
  label,
  children,
}: FormProps) {
  const send = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    if (!busy && reason === null) submit()
  }
  return (
    <form className={classes(styles['form'], narrow && styles['narrow'])} onSubmit={send} aria-label={label} noValidate>
      {children}
      <ErrorNote error={error} />
      <div className={styles['foot']}>
        <Button type="submit" look="primary" busy={busy} disabledReason={reason}>
          {submitLabel}
        </Button>
        {beside}
      </div>
    </form>
  )
}

export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles['pair']}>{children}</div>
}

/** Filters stand in the URL, so that a view can be sent to somebody. */
export function Filters({ children, label }: { children: ReactNode; label: string }) {
  return (
    <search className={styles['filters']} aria-label={label}>
      {children}
    </search>
  )
}
