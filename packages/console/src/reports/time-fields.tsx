import type { Report } from '@overture/sdk'
import { Pair, SelectField, TextField, ZoneField } from '../platform/form/index.ts'
import type { FieldsProps } from './report-fields.ts'
import { monthDayText } from './report-text.ts'
import { intervalText, text } from './reports.messages.ts'

const intervals = ['day', 'week', 'month'] as const satisfies readonly Report['every'][]
const monthDaysMax = 31

/** When the report runs. */
export function TimeFields({ fields, put, issue }: FieldsProps) {
  const { every, at, timezone } = fields
  return (
    <Pair>
      <SelectField
        label={text.every}
        value={every}
        choices={intervals.map((value) => ({ value, label: intervalText[value] }))}
        change={(value) => put({ every: value as Report['every'], on: 1 })}
        error={issue('every')}
      />
      <DayField fields={fields} put={put} issue={issue} />
      <TextField label={text.time} type="time" value={at} change={(value) => put({ at: value })} error={issue('at')} />
      <ZoneField
        label={text.zone}
        hint={text.zoneHint}
        value={timezone}
        change={(value) => put({ timezone: value })}
        error={issue('timezone')}
      />
    </Pair>
  )
}

function DayField({ fields: { every, on }, put, issue }: FieldsProps) {
  if (every === 'day') return null
  const days = every === 'week' ? text.weekdays : Array.from({ length: monthDaysMax }, (_, at) => monthDayText(at + 1))
  return (
    <SelectField
      label={every === 'week' ? text.weekday : text.dayOfMonth}
      value={String(on)}
      choices={days.map((label, at) => ({ value: String(at + 1), label }))}
      change={(value) => put({ on: Number(value) })}
      error={issue('on')}
    />
  )
}
