import type { Wait, WaitUnit } from '@overture/sdk'
import { NumberField, SelectField } from '../platform/form/index.ts'
import type { StepDraft } from './draft.ts'
import { text } from './sequence.messages.ts'
import type { SequenceView } from './sequence-view.ts'

const units = ['minutes', 'hours', 'days', 'business_days'] as const

export interface StepPartProps {
  step: StepDraft
  change: (step: StepDraft) => void
  view: SequenceView
}

export function WaitFields({ step, change, view, label }: StepPartProps & { label: string }) {
  return (
    <SpanFields
      label={label}
      unitLabel={text.waitUnit}
      least={0}
      disabled={view.fixed !== null}
      value={step.wait}
      change={(wait) => change({ ...step, wait })}
      error={view.issueAt(step.key, 'waitBefore.value')}
    />
  )
}

interface SpanFieldsProps {
  label: string
  unitLabel: string
  least: number
  disabled: boolean
  value: Wait
  change: (value: Wait) => void
  error?: string | undefined
}

/** A number and its unit. */
export function SpanFields({ label, unitLabel, least, disabled, value, change, error }: SpanFieldsProps) {
  return (
    <>
      <NumberField
        label={label}
        min={least}
        disabled={disabled}
        value={value.value}
        change={(number) => change({ ...value, value: number ?? least })}
        error={error}
      />
      <SelectField
        label={unitLabel}
        disabled={disabled}
        value={value.unit}
        choices={units.map((unit) => ({ value: unit, label: text.units[unit] }))}
        change={(unit) => change({ ...value, unit: unit as WaitUnit })}
      />
    </>
  )
}

/** The step to which leads go next. */
export function WayField({
  view,
  step,
  label,
  part,
  value,
  change,
  handsOver = false,
}: {
  view: SequenceView
  step: StepDraft
  label: string
  /** The name of the field in the API. */
  part: string
  value: string | null
  change: (way: string | null) => void
  /** Whether the step may also lead to another campaign. */
  handsOver?: boolean
}) {
  const campaigns = handsOver ? view.campaigns : []
  const known = campaigns.some((one) => one.value === value)
  return (
    <SelectField
      label={label}
      disabled={view.fixed !== null}
      value={value ?? ''}
      choices={[...view.targets(step.key, known ? null : value), ...campaigns]}
      change={(way) => change(way === '' ? null : way)}
      error={view.issueAt(step.key, part)}
    />
  )
}
