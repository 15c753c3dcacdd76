import type { WaitUnit } from '@overture/sdk'
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
  const off = view.fixed !== null
  return (
    <>
      <NumberField
        label={label}
        min={0}
        disabled={off}
        value={step.wait.value}
        change={(value) => change({ ...step, wait: { ...step.wait, value: value ?? 0 } })}
        error={view.said(step.key, 'waitBefore.value')}
      />
      <SelectField
        label={text.waitUnit}
        disabled={off}
        value={step.wait.unit}
        choices={units.map((value) => ({ value, label: text.units[value] }))}
        change={(unit) => change({ ...step, wait: { ...step.wait, unit: unit as WaitUnit } })}
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
      error={view.said(step.key, part)}
    />
  )
}
