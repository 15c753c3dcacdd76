import { useId, useMemo } from 'react'
import { knownZones, matchZone } from '../time/zones.ts'
import { TextField } from './fields.tsx'

interface ZoneFieldProps {
  label: string
  hint?: string
  value: string
  change: (zone: string) => void
  off?: boolean
  error: string | undefined
}

/** A time zone from a list that is searched by typing a part of its name. */
export function ZoneField({ label, hint, value, change, off = false, error }: ZoneFieldProps) {
  const id = useId()
  const zones = useMemo(knownZones, [])
  return (
    <>
      <TextField
        label={label}
        {...(hint !== undefined && { hint })}
        list={id}
        autoComplete="off"
        disabled={off}
        value={value}
        change={change}
        onFocus={({ target }) => target.select()}
        onBlur={() => change(matchZone(value, zones))}
        error={error}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
