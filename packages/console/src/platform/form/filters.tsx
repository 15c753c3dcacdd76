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
  /** The name of a value in the URL that is not among the choices. */
  unknown?: string | undefined
}

/** The choices, with the chosen one if it was deleted or is not among those that were read. */
export function withChosen(choices: readonly Choice[], chosen: Choice): readonly Choice[] {
  return choices.some(({ value }) => value === chosen.value) ? choices : [...choices, chosen]
}

/** A select field whose value is in the URL. */
export function ChoiceFilter({ name, label, any, choices, unknown }: ChoiceFilterProps) {
  const [params, change] = useSearchParams()
  const value = params[name] ?? ''
  const known = [{ value: '', label: any }, ...choices]
  return (
    <SelectField
      label={label}
      value={value}
      change={(chosen) => change({ [name]: chosen })}
      choices={unknown === undefined ? known : withChosen(known, { value, label: unknown })}
    />
  )
}
