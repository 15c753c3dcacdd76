import { use, useCallback, useState, type ReactNode, type SyntheticEvent } from 'react'
import type { RestrictedOperation } from '@overture/contract/team/operation-roles.ts'
import { usePermissionReason } from '../session/permission.ts'
import { text } from '../text/platform.messages.ts'
import { classes } from '../ui/classes.ts'
import { Button } from '../ui/button.tsx'
import { DialogClose } from '../ui/dialog-close.ts'
import { ErrorNote } from '../ui/error.tsx'
import { Unsaved } from '../ui/unsaved.tsx'
import { FieldErrors } from './field-errors.ts'
import styles from './form.module.css'

export interface FormProps {
  submit: () => void
  submitLabel: string
  busy?: boolean
  /** A dry run comes first: after its answer nothing is saved yet. */
  checking?: boolean
  error?: unknown
  /** The operation of the form. A user whose role can't do it sees who can. */
  operation?: RestrictedOperation | undefined
  /** Why it can't be sent now. */
  reason?: string | null
  narrow?: boolean
  beside?: ReactNode
  /** Whether to ask before the user leaves the page with unsaved input. */
  guarded?: boolean
  label?: string
  children: ReactNode
}

/** A form. A refusal keeps all input: the message of the API is shown above the button. In a dialog it has a Cancel button. */
export function Form({
  submit,
  submitLabel,
  busy = false,
  checking = false,
  error,
  operation,
  reason: ownReason = null,
  narrow = false,
  beside,
  guarded = false,
  label,
  children,
}: FormProps) {
  const reason = usePermissionReason(operation) ?? ownReason
  const cancel = use(DialogClose)
  const [written, setWritten] = useState(false)
  const [fieldErrors, reportError] = useFieldErrors()
  const [sending, setSending] = useState(busy)
  if (sending !== busy) {
    // The input was saved. The flag is cleared during render, so that a user who leaves the page at once is not asked.
    if (!busy && (error === null || error === undefined)) setWritten(false)
    setSending(busy)
  }
  const send = (event: SyntheticEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    if (!busy && !checking && reason === null) submit()
  }
  return (
    <form
      className={classes(styles['form'], narrow && styles['narrow'])}
      onSubmit={send}
      onChange={() => setWritten(true)}
      onInput={() => setWritten(true)}
      onKeyDown={(event) => {
        // Ctrl+Enter and Cmd+Enter also work in text areas, where Enter alone begins a new line.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
      }}
      aria-label={label}
      noValidate
    >
      <FieldErrors value={reportError}>{children}</FieldErrors>
      {guarded && <Unsaved hasUnsaved={written && !busy} />}
      <ErrorNote error={error} shownErrors={fieldErrors} />
      <div className={styles['foot']}>
        <Button type="submit" look="primary" busy={busy || checking} disabledReason={reason}>
          {submitLabel}
        </Button>
        {beside}
        {cancel !== null && <Button onClick={cancel}>{text.cancel}</Button>}
      </div>
    </form>
  )
}

/** The errors that the fields within `FieldErrors` show themselves. */
export function useFieldErrors(): [string[], (field: string, error: string | undefined) => void] {
  const [byField, setByField] = useState<ReadonlyMap<string, string>>(new Map())
  const reportError = useCallback((field: string, error: string | undefined): void => {
    setByField((before) => {
      if (before.get(field) === error) return before
      const after = new Map(before)
      if (error === undefined) after.delete(field)
      else after.set(field, error)
      return after
    })
  }, [])
  return [[...byField.values()], reportError]
}

export function Pair({ children }: { children: ReactNode }) {
  return <div className={styles['pair']}>{children}</div>
}

/** A group of filters. Their values are in the URL, so that a view can be shared. */
export function Filters({ children, label }: { children: ReactNode; label: string }) {
  return (
    <search className={styles['filters']} aria-label={label}>
      {children}
    </search>
  )
}
