import { dayMs } from '@overture/ground/time/spans.ts'
import { toInstant, toWeekday } from '@overture/ground/time/time-zone.ts'
import { observanceLinesMax, type ZoneLines } from './calendar-lines.ts'
import { isIana, namedZone, offsetMsMax, zoneKey } from './zone-names.ts'

/** Converts a calendar's local times to instants. */
export interface CalendarZone {
  /** A zone of the IANA database; UTC if there are only the calendar's own rules or an offset. */
  name: string
  /** False if neither the name nor the rules define the zone, so that the time is a guess. */
  known: boolean
  toInstant(localMs: number): number
}

const monthDaysMax = 7

/** The largest number of `RDATE` dates per observance; a zone with more is ignored. */
const onsetsMax = 1_000

/**
 * Resolves a zone name: from the IANA database, else from the rules in the calendar, else from Windows names and offsets. Rules
 * come from strangers, so only yearly ones and bounded lists of dates are accepted, and none is expanded.
 */
export function resolveZone(tzid: string | null, zones: readonly ZoneLines[], fallback: string | null): CalendarZone {
  const given = tzid ?? fallback
  if (given === null) return unknownZone
  const named = namedZone(given)
  const rules = named !== null && 'name' in named && isIana(given) ? null : readRules(given, zones)
  if (rules !== null) return { name: 'UTC', known: true, toInstant: (localMs) => localMs - offsetAt(rules, localMs) }
  if (named === null) return unknownZone
  if ('offsetMs' in named) return { name: 'UTC', known: true, toInstant: (localMs) => localMs - named.offsetMs }
  return { name: named.name, known: true, toInstant: (localMs) => toInstant(named.name, localMs) }
}

const unknownZone: CalendarZone = { name: 'UTC', known: false, toInstant: (localMs) => localMs }

/** Null if the calendar has no rules for the name, or rules that can't be read. */
function readRules(tzid: string, zones: readonly ZoneLines[]): Observance[] | null {
  const key = zoneKey(tzid)
  const own = zones.find((zone) => zoneKey(zone.tzid) === key)
  const rules = own?.observances?.map(readObservance) ?? []
  const read = rules.filter((rule) => rule !== null)
  return read.length === 0 || read.length < rules.length ? null : read
}

interface Observance {
  /** Local time, in milliseconds as if it were UTC. */
  startMs: number
  fromOffsetMs: number
  toOffsetMs: number
  repeats: Yearly | null
  /** Additional dates on which it begins, from `RDATE`. */
  onsets: readonly number[]
}

interface Yearly {
  month: number
  /** Monday is 0 and Sunday 6. `nth` is the occurrence in the month: 1 the first, -1 the last, null all within `monthDays`. */
  weekday: { day: number; nth: number | null } | null
  monthDays: readonly number[]
  /** It doesn't begin again after this time. */
  untilMs: number
  times: number
}

/** Null if the rule repeats in another way. */
function readObservance(lines: readonly string[]): Observance | null {
  const value = (name: string) => {
    const line = lines.find((one) => one.toUpperCase().startsWith(name) && /^[;:]$/.test(one.charAt(name.length)))
    return line === undefined ? null : line.slice(line.indexOf(':') + 1).trim()
  }
  const startMs = parseLocalMs(value('DTSTART'))
  const fromOffsetMs = parseOffsetMs(value('TZOFFSETFROM'))
  const toOffsetMs = parseOffsetMs(value('TZOFFSETTO'))
  if (startMs === null || fromOffsetMs === null || toOffsetMs === null) return null
  const onsets = readOnsets(lines)
  if (onsets === null) return null
  const rule = value('RRULE')
  if (rule === null) return { startMs, fromOffsetMs, toOffsetMs, repeats: null, onsets }
  const repeats = readYearly(rule, startMs)
  return repeats === null ? null : { startMs, fromOffsetMs, toOffsetMs, repeats, onsets }
}

/** The dates of all `RDATE`s (RFC 5545, 3.6.5). Null if one can't be read, or if they may be incomplete. */
function readOnsets(lines: readonly string[]): number[] | null {
  if (lines.length >= observanceLinesMax) return null
  const dates = lines
    .filter((line) => /^RDATE[;:]/i.test(line))
    .flatMap((line) => line.slice(line.lastIndexOf(':') + 1).split(',', onsetsMax + 1))
    .map((text) => parseLocalMs(text.trim()))
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
    untilMs: until === undefined ? Number.POSITIVE_INFINITY : (parseLocalMs(until) ?? Number.POSITIVE_INFINITY),
    times: Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY),
  }
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

// The observance that began last applies. Before the first one, the offset from which it changed applies.
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

/** The last begin of an observance before a moment. A yearly one last began in the same year or the year before. */
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
  if (weekday !== null) days = days.filter((day) => toWeekday(day) === weekday.day)
  const nth = weekday?.nth ?? 1
  const day = nth > 0 ? days[nth - 1] : days.at(nth)
  return day === undefined ? null : day * dayMs + timeOfDayMs
}

/** Parses `20260301T020000`, with or without a final Z. Null for anything else. */
function parseLocalMs(text: string | null): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/i.exec(text ?? '') ?? []
  if (year === undefined) return null
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return Number.isNaN(at) ? null : at
}

function parseOffsetMs(text: string | null): number | null {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text ?? '') ?? []
  if (sign === undefined) return null
  const offsetMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return offsetMs > offsetMsMax ? null : sign === '-' ? -offsetMs : offsetMs
}
