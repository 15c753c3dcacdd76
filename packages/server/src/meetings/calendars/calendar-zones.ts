import { dayMs } from '../../ground/time/spans.ts'
import { instantOf, weekdayOf } from '../../ground/time/time-zone.ts'
import { observanceLinesMax, type ZoneLines } from './calendar-lines.ts'
import { isIana, namedZone, zoneKey } from './zone-names.ts'

/** How a calendar's local times become instants. */
export interface CalendarZone {
  /** Of the IANA database; UTC where the calendar's own rules, or an offset, are all there is. */
  name: string
  /** False where neither the name nor the rules say the zone, so that the time is a guess. */
  known: boolean
  instantOf(localMs: number): number
}

const offsetMsMax = 18 * 60 * 60 * 1000
const monthDaysMax = 7

/** Dates of one observance that its `RDATE`s may list; with more the zone is not believed. */
const onsetsMax = 1_000

/**
 * The zone of a name: by the IANA database, else by the rules that the calendar brings along, else by the names of Windows
 * and by offsets. Rules come from strangers, so only yearly ones and bounded lists of dates are accepted, and none is expanded.
 */
export function zoneOf(tzid: string | null, zones: readonly ZoneLines[], fallback: string | null): CalendarZone {
  const given = tzid ?? fallback
  if (given === null) return unknownZone
  const named = namedZone(given)
  const rules = named !== null && 'name' in named && isIana(given) ? null : rulesOf(given, zones)
  if (rules !== null) return { name: 'UTC', known: true, instantOf: (localMs) => localMs - offsetAt(rules, localMs) }
  if (named === null) return unknownZone
  if ('offsetMs' in named) return { name: 'UTC', known: true, instantOf: (localMs) => localMs - named.offsetMs }
  return { name: named.name, known: true, instantOf: (localMs) => instantOf(named.name, localMs) }
}

const unknownZone: CalendarZone = { name: 'UTC', known: false, instantOf: (localMs) => localMs }

/** Null where the calendar has no rules for the name, or rules that can't be read. */
function rulesOf(tzid: string, zones: readonly ZoneLines[]): Observance[] | null {
  const key = zoneKey(tzid)
  const own = zones.find((zone) => zoneKey(zone.tzid) === key)
  const rules = own?.observances?.map(readObservance) ?? []
  const read = rules.filter((rule) => rule !== null)
  return read.length === 0 || read.length < rules.length ? null : read
}

interface Observance {
  /** Local time, as milliseconds as if it were UTC. */
  startMs: number
  fromOffsetMs: number
  toOffsetMs: number
  repeats: Yearly | null
  /** Further dates on which it begins, by `RDATE`. */
  onsets: readonly number[]
}

interface Yearly {
  month: number
  /** 0 Monday … 6 Sunday, and which of the month: 1 the first, -1 the last, null every one that is in `monthDays`. */
  weekday: { day: number; nth: number | null } | null
  monthDays: readonly number[]
  /** Nothing begins after it. */
  untilMs: number
  times: number
}

/** Null for what repeats in any other way. */
function readObservance(lines: readonly string[]): Observance | null {
  const value = (name: string) => {
    const line = lines.find((one) => one.toUpperCase().startsWith(name) && /^[;:]$/.test(one.charAt(name.length)))
    return line === undefined ? null : line.slice(line.indexOf(':') + 1).trim()
  }
  const startMs = localMsOf(value('DTSTART'))
  const fromOffsetMs = offsetMsOf(value('TZOFFSETFROM'))
  const toOffsetMs = offsetMsOf(value('TZOFFSETTO'))
  if (startMs === null || fromOffsetMs === null || toOffsetMs === null) return null
  const onsets = readOnsets(lines)
  if (onsets === null) return null
  const rule = value('RRULE')
  if (rule === null) return { startMs, fromOffsetMs, toOffsetMs, repeats: null, onsets }
  const repeats = readYearly(rule, startMs)
  return repeats === null ? null : { startMs, fromOffsetMs, toOffsetMs, repeats, onsets }
}

/** The dates of all `RDATE`s (RFC 5545, 3.6.5); null where one can't be read, or where they may be incomplete. */
function readOnsets(lines: readonly string[]): number[] | null {
  if (lines.length >= observanceLinesMax) return null
  const dates = lines
    .filter((line) => /^RDATE[;:]/i.test(line))
    .flatMap((line) => line.slice(line.lastIndexOf(':') + 1).split(',', onsetsMax + 1))
    .map((text) => localMsOf(text.trim()))
  const read = dates.filter((at) => at !== null)
  return read.length < dates.length || read.length > onsetsMax ? null : read
}

function readYearly(rule: string, startMs: number): Yearly | null {
  const parts = new Map(rule.split(';', 10).map((part) => part.toUpperCase().split('=', 2) as [string, string]))
  const known = ['FREQ', 'INTERVAL', 'BYMONTH', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'COUNT', 'WKST']
  if (parts.get('FREQ') !== 'YEARLY' || [...parts.keys()].some((name) => !known.includes(name))) return null
  if ((parts.get('INTERVAL') ?? '1') !== '1') return null
  const start = new Date(startMs)
  const month = Number(parts.get('BYMONTH') ?? start.getUTCMonth() + 1)
  const day = /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)$/.exec(parts.get('BYDAY') ?? '')
  const monthDays = (parts.get('BYMONTHDAY') ?? '').split(',', monthDaysMax + 1).filter((text) => text !== '')
  if (!Number.isInteger(month) || month < 1 || month > 12 || (parts.has('BYDAY') && day === null)) return null
  if (monthDays.length > monthDaysMax || !monthDays.every((text) => /^[1-9]\d?$/.test(text))) return null
  const weekday = day === null ? null : { day: weekdays.indexOf(day[2]!), nth: day[1] ? Number(day[1]) : null }
  if (weekday !== null && weekday.nth === null && monthDays.length === 0) return null
  const until = parts.get('UNTIL')
  const days = monthDays.length === 0 && weekday === null ? [start.getUTCDate()] : monthDays.map(Number)
  return {
    month,
    weekday,
    monthDays: days,
    untilMs: until === undefined ? Number.POSITIVE_INFINITY : (localMsOf(until) ?? Number.POSITIVE_INFINITY),
    times: Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY),
  }
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

// What began last holds; before everything, what the first one began from.
function offsetAt(observances: readonly Observance[], localMs: number): number {
  const begun = observances
    .map((one) => ({ one, atMs: lastOnset(one, localMs) }))
    .filter((found): found is { one: Observance; atMs: number } => found.atMs !== null)
  const last = begun.reduce<{ one: Observance; atMs: number } | null>(
    (latest, found) => (latest === null || found.atMs > latest.atMs ? found : latest),
    null,
  )
  if (last !== null) return last.one.toOffsetMs
  return observances.reduce((first, one) => (one.startMs < first.startMs ? one : first)).fromOffsetMs
}

/** When an observance began for the last time before a moment; a yearly one did so in that year or in the one before. */
function lastOnset(observance: Observance, localMs: number): number | null {
  const repeated = lastRepeat(observance, localMs)
  return observance.onsets.reduce<number | null>(
    (last, at) => (at <= localMs && (last === null || at > last) ? at : last),
    repeated,
  )
}

function lastRepeat({ startMs, repeats }: Observance, localMs: number): number | null {
  if (startMs > localMs) return null
  if (repeats === null) return startMs
  const startYear = new Date(startMs).getUTCFullYear()
  const year = new Date(Math.min(localMs, repeats.untilMs)).getUTCFullYear()
  const lastYear = Math.min(year, startYear + repeats.times - 1)
  for (const candidate of [lastYear, lastYear - 1]) {
    const atMs = onsetIn(repeats, candidate, ((startMs % dayMs) + dayMs) % dayMs)
    if (atMs !== null && atMs >= startMs && atMs <= localMs && atMs <= repeats.untilMs) return atMs
  }
  return startMs
}

function onsetIn({ month, weekday, monthDays }: Yearly, year: number, timeOfDayMs: number): number | null {
  const first = Date.UTC(year, month - 1, 1) / dayMs
  const length = Date.UTC(year, month, 1) / dayMs - first
  let days = Array.from({ length }, (_, at) => first + at)
  if (monthDays.length > 0) days = days.filter((day) => monthDays.includes(day - first + 1))
  if (weekday !== null) days = days.filter((day) => weekdayOf(day) === weekday.day)
  const nth = weekday?.nth ?? 1
  const day = nth > 0 ? days[nth - 1] : days.at(nth)
  return day === undefined ? null : day * dayMs + timeOfDayMs
}

/** `20260301T020000`, with or without a Z behind it; null for anything else. */
function localMsOf(text: string | null): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/i.exec(text ?? '') ?? []
  if (year === undefined) return null
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return Number.isNaN(at) ? null : at
}

function offsetMsOf(text: string | null): number | null {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text ?? '') ?? []
  if (sign === undefined) return null
  const offsetMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return offsetMs > offsetMsMax ? null : sign === '-' ? -offsetMs : offsetMs
}
