import { SelectField, TextField, type Choice } from './fields.tsx'
import { useSearchParams, useTypedParam } from './search-params.ts'

/** What is searched for, as it stands in the URL. */
export function SearchFilter({ label, name = 'q' }: { label: string; name?: string }) {
  const [typed, setTyped] = useTypedParam(name)
  return <TextField label={label} type="search" value={typed} change={setTyped} />
}

export interface ChoiceFilterProps {
  /** Of the parameter in the URL. */
  name: string
  label: string
  /** What stands there while nothing is chosen. */
  any: string
  choices: readonly Choice[]
}

/** One of several, as it stands in the URL. */
export function ChoiceFilter({ name, label, any, choices }: ChoiceFilterProps) {
  const [params, change] = useSearchParams()
  return (
    <SelectField
      label={label}
      value={params[name] ?? ''}
      change={(value) => change({ [name]: value })}
      choices={[{ value: '', label: any }, ...choices]}
    />
  )
}
