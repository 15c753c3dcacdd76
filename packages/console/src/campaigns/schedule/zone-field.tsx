import { useId, useMemo } from 'react'
import { TextField } from '../../platform/form/index.ts'
import { text } from './schedule.messages.ts'
import { knownZones, zoneOf } from '../../platform/time/zones.ts'

interface ZoneFieldProps {
  value: string
  change: (zone: string) => void
  off: boolean
  error: string | undefined
}

/** A time zone from a list that is searched by typing a part of its name. */
export function ZoneField({ value, change, off, error }: ZoneFieldProps) {
  const id = useId()
  const zones = useMemo(knownZones, [])
  return (
    <>
      <TextField
        label={text.timezone}
        hint={text.timezoneHint}
        list={id}
        autoComplete="off"
        disabled={off}
        value={value}
        change={change}
        onFocus={({ target }) => target.select()}
        onBlur={() => change(zoneOf(value, zones))}
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
