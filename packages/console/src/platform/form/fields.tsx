import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import { text } from '../text/platform.messages.ts'
import { classes } from '../ui/classes.ts'
import { useReportedError } from './field-errors.ts'
import styles from './form.module.css'

interface LabelProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  /** The label is only read by screen readers. */
  hideLabel?: boolean
}

interface Ties {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

function Field({
  label,
  hint,
  error,
  optional,
  hideLabel,
  className,
  children,
}: LabelProps & { className?: string | undefined; children: (ties: Ties) => ReactNode }) {
  const id = useId()
  useReportedError(id, error)
  const described = [hint !== undefined && `${id}h`, error !== undefined && `${id}e`].filter(Boolean).join(' ')
  const ties: Ties = {
    id,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': described || undefined,
  }
  return (
    <div className={classes(styles['field'], className)}>
      <label htmlFor={id} className={hideLabel === true ? 'visually-hidden' : undefined}>
        {label}
        {optional === true && <span className={styles['optional']}> ({text.optional})</span>}
      </label>
      {children(ties)}
      {hint !== undefined && (
        <p id={`${id}h`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}e`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  )
}

type TextProps = LabelProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { change: (value: string) => void }

export function TextField({ label, hint, error, optional, hideLabel, change, className, ...rest }: TextProps) {
  return (
    <Field {...{ label, hint, error, optional, hideLabel, className }}>
      {(ties) => (
        <input
          type="text"
          {...rest}
          {...ties}
          className={styles['input']}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

type AreaProps = LabelProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & { change: (value: string) => void }

export function AreaField({ label, hint, error, optional, hideLabel, change, className, ...rest }: AreaProps) {
  return (
    <Field {...{ label, hint, error, optional, hideLabel, className }}>
      {(ties) => (
        <textarea
          rows={5}
          {...rest}
          {...ties}
          className={styles['input']}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </Field>
  )
}

export interface Choice {
  value: string
  label: string
}

type SelectProps = LabelProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
    choices: readonly Choice[]
    change: (value: string) => void
  }

export function SelectField({
  label,
  hint,
  error,
  optional,
  hideLabel,
  change,
  choices,
  className,
  ...rest
}: SelectProps) {
  return (
    <Field {...{ label, hint, error, optional, hideLabel, className }}>
      {(ties) => (
        <select {...rest} {...ties} className={styles['input']} onChange={(event) => change(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type NumberProps = LabelProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    value: number | null
    change: (value: number | null) => void
  }

export function NumberField({ value, change, ...rest }: NumberProps) {
  return (
    <TextField
      inputMode="numeric"
      {...rest}
      type="number"
      value={value ?? ''}
      change={(typed) => change(typed === '' ? null : Number(typed))}
    />
  )
}

export function CheckField({
  label,
  hint,
  error,
  checked,
  change,
  disabled = false,
}: {
  label: string
  hint?: string
  error?: string | undefined
  checked: boolean
  change: (checked: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  useReportedError(id, error)
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-invalid={error === undefined ? undefined : true}
        onChange={(event) => change(event.target.checked)}
      />
      <div>
        {label}
        {hint !== undefined && <span>{hint}</span>}
        {error !== undefined && <strong className={styles['error']}>{error}</strong>}
      </div>
    </label>
  )
}

/** A group of checkboxes, of which several can be checked. */
export function CheckGroup({
  label,
  choices,
  value,
  change,
  error,
  disabled = false,
}: {
  label: string
  choices: readonly Choice[]
  value: readonly string[]
  change: (value: string[]) => void
  error?: string | undefined
  disabled?: boolean
}) {
  useReportedError(useId(), error)
  return (
    <fieldset className={styles['group']} disabled={disabled}>
      <legend className={styles['legend']}>{label}</legend>
      <div className={styles['inline']}>
        {choices.map((choice) => (
          <CheckField
            key={choice.value}
            label={choice.label}
            checked={value.includes(choice.value)}
            change={(checked) =>
              change(
                choices.map((one) => one.value).filter((one) => (one === choice.value ? checked : value.includes(one))),
              )
            }
          />
        ))}
      </div>
      {error !== undefined && <p className={styles['error']}>{error}</p>}
    </fieldset>
  )
}
