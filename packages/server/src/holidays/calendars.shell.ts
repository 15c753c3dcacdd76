import type { HolidaysTypes } from 'date-holidays'
import type { Holiday, HolidayCountry } from '@overture/contract/holidays/holidays.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { parseDayNumber } from '@overture/ground/time/time-zone.ts'

/** The data behind all calendars. A test compares the version with the installed package. */
export const holidayData = {
  name: 'date-holidays',
  version: '3.37.0',
  license: 'ISC AND CC-BY-3.0',
  url: 'https://github.com/commenthol/date-holidays',
}

/** The years of calendars that are kept: a few megabytes. A forecast asks for two years of each country of its leads. */
const yearsKeptMax = 2000

interface Calendars {
  exists: (calendar: string) => boolean
  /** The public holidays of a whole day, by date. Empty for an unknown calendar. */
  listHolidays: (calendar: string, year: number) => Holiday[]
  /** The name of the holiday on a day, which is a number of days after 1970-01-01. */
  nameOn: (calendar: string, day: number) => string | null
  countries: () => HolidayCountry[]
}

let loading: Promise<Calendars> | null = null

/** The data takes some 20 MB of memory, so it is loaded when the first calendar is used. */
export function loadCalendars(): Promise<Calendars> {
  loading ??= openCalendars()
  return loading
}

async function openCalendars(): Promise<Calendars> {
  const { default: Holidays } = await import('date-holidays')
  const all = new Holidays()
  const codes = new Set(Object.keys(all.getCountries()))
  const years = new Map<string, ReadonlyMap<number, string>>()
  const exists = (calendar: string): boolean => {
    const { country, region } = splitCalendar(calendar)
    return codes.has(country) && (region === undefined || Object.hasOwn(all.getStates(country) ?? {}, region))
  }
  const cachedDays = (calendar: string, year: number): ReadonlyMap<number, string> => {
    const key = `${calendar} ${year}`
    const known = years.get(key)
    if (known !== undefined) return known
    const { country, region } = splitCalendar(calendar)
    const days = exists(calendar) ? readDays(openCalendar(Holidays, country, region), year) : new Map<number, string>()
    for (const oldest of years.keys()) if (years.size >= yearsKeptMax) years.delete(oldest)
    years.set(key, days)
    return days
  }
  return {
    exists,
    listHolidays: (calendar, year) =>
      [...cachedDays(calendar, year)].sort(([a], [b]) => a - b).map(([day, name]) => ({ date: formatDay(day), name })),
    nameOn: (calendar, day) => cachedDays(calendar, new Date(day * dayMs).getUTCFullYear()).get(day) ?? null,
    countries: () => readCountries(all),
  }
}

type Source = InstanceType<typeof import('date-holidays').default>

function openCalendar(Holidays: typeof import('date-holidays').default, country: string, region?: string): Source {
  const options = { types: ['public' as const] }
  return region === undefined ? new Holidays(country, options) : new Holidays(country, region, options)
}

/** `DE-BY` is the region `BY` of `DE`. */
function splitCalendar(calendar: string): { country: string; region: string | undefined } {
  const [country = '', ...region] = calendar.split('-')
  return { country, region: region.length === 0 ? undefined : region.join('-') }
}

/** The days of a year with the names of their holidays. A holiday of the year before may end in this year. */
function readDays(source: Source, year: number): Map<number, string> {
  const days = new Map<number, string>()
  const found = [year - 1, year].flatMap((one) => source.getHolidays(one, 'en'))
  for (const holiday of found)
    for (const day of daysOfHoliday(holiday))
      if (formatDay(day).startsWith(`${year}-`) && !days.has(day)) days.set(day, holiday.name)
  return days
}

/** The whole days of a holiday. None if it begins during a day, such as a half holiday from noon. */
function daysOfHoliday({ date, start, end }: HolidaysTypes.Holiday): number[] {
  const [, day = '', time] = /^(\S+) (\S+)/.exec(date) ?? []
  if (time !== '00:00:00') return []
  // A clock change makes a day of 23 or 25 hours.
  const count = Math.round((end.getTime() - start.getTime()) / dayMs)
  return Array.from({ length: count }, (_, index) => parseDayNumber(day) + index)
}

function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

function readCountries(all: Source): HolidayCountry[] {
  return named(all.getCountries('en')).map(({ code, name }) => ({
    calendar: code,
    name,
    regions: named(all.getStates(code, 'en') ?? {}).map((region) => ({
      calendar: `${code}-${region.code}`,
      name: region.name,
    })),
  }))
}

function named(names: Readonly<Record<string, string>>): { code: string; name: string }[] {
  const list = Object.entries(names).map(([code, name]) => ({ code, name }))
  return list.sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
