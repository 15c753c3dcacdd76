import { SelectField } from '../../platform/form/index.ts'
import { useColleagues, userChoices } from './colleagues.queries.ts'
import { text } from '../team.messages.ts'

interface AssigneeFieldProps {
  label: string
  /** The label of the choice without a user. */
  unassignedLabel: string
  value: string | null
  change: (assigneeId: string | null) => void
  error?: string | undefined
}

/** The user who does a task. A user that was removed or suspended stays visible until another one is chosen. */
export function AssigneeField({ label, unassignedLabel, value, change, error }: AssigneeFieldProps) {
  const active = useColleagues().filter(({ status }) => status === 'active')
  const known = userChoices(active)
  const gone = value !== null && !active.some(({ id }) => id === value) ? [{ value, label: text.formerUser }] : []
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      choices={[{ value: '', label: unassignedLabel }, ...gone, ...known]}
      change={(chosen) => change(chosen === '' ? null : chosen)}
      error={error}
    />
  )
}
