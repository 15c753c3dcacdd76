import { SelectField, TextField, type Choice } from './fields.tsx'
import { useSearchParams, useTypedParam } from './search-params.ts'

/** A search field whose text is in the URL. */
export function SearchFilter({ label, name = 'q' }: { label: string; name?: string }) {
  const [typed, setTyped] = useTypedParam(name)
  return <TextField label={label} type="search" value={typed} change={setTyped} />
}

export interface ChoiceFilterProps {
  /** The name of the parameter in the URL. */
  name: string
  label: string
  /** The option that is shown while nothing is chosen. */
  any: string
  choices: readonly Choice[]
}

/** A select field whose value is in the URL. */
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
