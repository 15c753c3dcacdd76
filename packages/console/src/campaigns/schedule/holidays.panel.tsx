import type { Schedule } from '@overture/sdk'
import { leadCalendar } from '@overture/contract/vocabularies.ts'
import { Pair, SelectField } from '../../platform/form/index.ts'
import { useHolidayCalendars } from '../campaigns.queries.ts'
import { text } from './schedule.messages.ts'

type Holidays = Schedule['holidays']

const modes = ['none', 'lead', 'country'] as const

interface HolidaysProps {
  holidays: Holidays
  change: (holidays: Holidays) => void
  off: boolean
  error: string | undefined
}

/** The calendar whose holidays a schedule closes: none, that of each lead's country, or one country or region. */
export function HolidaysField({ holidays, change, off, error }: HolidaysProps) {
  const mode = holidays === null ? 'none' : holidays.calendar === leadCalendar ? 'lead' : 'country'
  const choose = (value: string): void =>
    change(value === 'none' ? null : { calendar: value === 'lead' ? leadCalendar : '' })
  return (
    <>
      <SelectField
        label={text.holidays}
        hint={text.holidaysHints[mode]}
        disabled={off}
        value={mode}
        choices={modes.map((value) => ({ value, label: text.holidaysModes[value] }))}
        change={choose}
      />
      {mode === 'country' && holidays !== null && (
        <CountryFields
          calendar={holidays.calendar}
          change={(calendar) => change({ calendar })}
          off={off}
          error={error}
        />
      )}
    </>
  )
}

function CountryFields({
  calendar,
  change,
  off,
  error,
}: {
  calendar: string
  change: (calendar: string) => void
  off: boolean
  error: string | undefined
}) {
  const countries = useHolidayCalendars().data?.countries ?? []
  const [country = ''] = calendar.split('-')
  const regions = countries.find((one) => one.calendar === country)?.regions ?? []
  return (
    <Pair>
      <SelectField
        label={text.country}
        disabled={off}
        error={error !== undefined && calendar === '' ? text.chooseCountry : error}
        value={country}
        choices={withCurrent(calendarChoices(countries), country, text.chooseCountry)}
        change={change}
      />
      {regions.length > 0 && (
        <SelectField
          label={text.region}
          disabled={off}
          value={calendar}
          choices={[{ value: country, label: text.wholeCountry }, ...calendarChoices(regions)]}
          change={change}
        />
      )}
    </Pair>
  )
}

function calendarChoices(calendars: readonly { calendar: string; name: string }[]) {
  return calendars.map(({ calendar, name }) => ({ value: calendar, label: name }))
}

/** Adds the selected value if the list is not loaded or no longer contains it. */
function withCurrent(choices: { value: string; label: string }[], value: string, placeholder: string) {
  if (choices.some((choice) => choice.value === value)) return choices
  return [{ value, label: value === '' ? placeholder : value }, ...choices]
}
