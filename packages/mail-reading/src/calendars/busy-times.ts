import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import ICAL from 'ical.js'
import { readCalendarLines, unfolded, type ZoneLines } from './calendar-lines.ts'
import { readEnd, first, parseInstant, findParameter, parseProperties, propertyText } from './calendar-properties.ts'
import { resolveZone, type CalendarZone } from './calendar-zones.ts'

export interface BusySpan {
  fromMs: number
  toMs: number
  /** The zone of whole days and of times without a zone, if the calendar names none. */
  timezone: string
}

export interface BusyTimes {
  /** Starts and ends in milliseconds since 1970, ascending, without overlaps. */
  busy: [number, number][]
  /** False if a limit was reached or a rule was not understood, so that some events are missing. */
  complete: boolean
}

const linesMax = 500_000
const eventsMax = 20_000
const eventLinesMax = 200
const timesMax = 5_000
/** The occurrences of one rule that are looked at, including those before the span. */
const repeatsMax = 4_000
const allRepeatsMax = 50_000
const wanted =
  /^(?:UID|STATUS|TRANSP|X-MICROSOFT-CDO-BUSYSTATUS|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID)[;:]/i

/**
 * The busy times of a published calendar (RFC 5545) in a span: events that are neither canceled nor marked as free, with their
 * repetitions, exceptions and moved occurrences. Null if the text is no calendar. Its time is bounded except for rules that no
 * date fulfills, so it runs in a thread that is ended when it takes too long.
 */
export function readBusyTimes(text: string, span: BusySpan): BusyTimes | null {
  if (!/^\s{0,10}BEGIN:VCALENDAR/i.test(text.replace(/^\uFEFF/, ''))) return null
  const { calendar, zones } = readCalendarLines(text)
  const fallback = propertyText(parseProperties(calendar), 'x-wr-timezone') || span.timezone
  const events = eventLines(text)
  const reader = new EventReader(span, zones, fallback)
  const moved = movedOccurrences(events.all, reader)
  for (const event of events.all) reader.add(event, moved)
  const merged = mergedTimes(reader.times)
  return {
    busy: merged.slice(0, timesMax),
    complete: reader.complete && events.complete && merged.length <= timesMax,
  }
}

type Event = readonly ICAL.Property[]

/** The needed properties of each event. Alarms and other parts inside an event are skipped. */
function eventLines(text: string): { all: Event[]; complete: boolean } {
  const all: Event[] = []
  let lines: string[] | null = null
  let inner = 0
  for (const line of unfolded(text, linesMax)) {
    const edge = /^(BEGIN|END):([\w-]{1,40})\s{0,10}$/i.exec(line)
    if (edge === null) {
      if (lines !== null && inner === 0 && lines.length < eventLinesMax && wanted.test(line)) lines.push(line)
      continue
    }
    const begins = edge[1]!.toUpperCase() === 'BEGIN'
    if (edge[2]!.toUpperCase() === 'VEVENT') {
      if (!begins && lines !== null) all.push(parseProperties(lines))
      if (all.length >= eventsMax) return { all, complete: false }
      lines = begins ? [] : null
      inner = 0
    } else if (lines !== null) inner = Math.max(0, inner + (begins ? 1 : -1))
  }
  return { all, complete: true }
}

/** The moments of occurrences that have an event of their own (RFC 5545, 3.8.4.4), by UID. */
function movedOccurrences(events: readonly Event[], reader: EventReader): Map<string, Set<number>> {
  const moved = new Map<string, Set<number>>()
  for (const event of events) {
    const property = first(event, 'recurrence-id')
    const at = property && reader.parseInstant(property)
    if (at === undefined || at === null) continue
    const uid = propertyText(event, 'uid')
    moved.set(uid, (moved.get(uid) ?? new Set()).add(at))
  }
  return moved
}

class EventReader {
  readonly times: [number, number][] = []
  complete = true
  #repeatsLeft = allRepeatsMax
  /** Reading the rules of a zone takes longer than an event. Null: no zone is named. */
  readonly #zoneByName = new Map<string | null, CalendarZone>()

  readonly #span: BusySpan
  readonly #zones: readonly ZoneLines[]
  readonly #fallback: string

  constructor(span: BusySpan, zones: readonly ZoneLines[], fallback: string) {
    this.#span = span
    this.#zones = zones
    this.#fallback = fallback
  }

  parseInstant(property: ICAL.Property): number | null {
    return parseInstant(property, this.#zone(property))
  }

  add(event: Event, moved: ReadonlyMap<string, ReadonlySet<number>>): void {
    const start = first(event, 'dtstart')
    if (start === undefined || isFree(event)) return
    const startMs = this.parseInstant(start)
    if (startMs === null) {
      this.complete = false
      return
    }
    const zoneOfProperty = (property: ICAL.Property) => this.#zone(property)
    const lengthMs = readEnd(event, { start, startMs, zoneOfProperty, unknownLengthMs: 0 }) - startMs
    const own = first(event, 'recurrence-id') !== undefined
    const skipped = own
      ? none
      : new Set([...this.#momentsOf(event, 'exdate'), ...(moved.get(propertyText(event, 'uid')) ?? [])])
    const starts = own
      ? [startMs]
      : [startMs, ...this.#repeats(event, start, lengthMs), ...this.#momentsOf(event, 'rdate')]
    for (const at of starts) if (!skipped.has(at)) this.#keep(at, at + lengthMs)
  }

  #keep(startMs: number, endMs: number): void {
    const { fromMs, toMs } = this.#span
    if (endMs > fromMs && startMs < toMs) this.times.push([Math.max(startMs, fromMs), Math.min(endMs, toMs)])
  }

  #zone(property: ICAL.Property): CalendarZone {
    const tzid = findParameter(property, 'tzid')
    const known = this.#zoneByName.get(tzid)
    if (known !== undefined) return known
    const zone = resolveZone(tzid, this.#zones, this.#fallback)
    this.#zoneByName.set(tzid, zone)
    return zone
  }

  /** The moments in `EXDATE` or `RDATE`, each of which may have many values. */
  #momentsOf(event: Event, name: 'exdate' | 'rdate'): number[] {
    return event
      .filter((property) => property.name === name)
      .flatMap((property) => {
        const zone = this.#zone(property)
        return propertyValues(property).flatMap((value) => {
          const local = value instanceof ICAL.Period ? value.start : value
          return local instanceof ICAL.Time ? [toMoment(local, zone)] : []
        })
      })
  }

  /** The occurrences of the event's rule after its start, up to the end of the span. */
  *#repeats(event: Event, start: ICAL.Property, lengthMs: number): Generator<number> {
    const rule = first(event, 'rrule')?.getFirstValue()
    const begin = start.getFirstValue()
    if (!(rule instanceof ICAL.Recur) || !(begin instanceof ICAL.Time)) return
    if (['SECONDLY', 'MINUTELY'].includes(rule.freq)) {
      this.complete = false
      return
    }
    const zone = this.#zone(start)
    const untilMs = rule.until === null ? Number.POSITIVE_INFINITY : recurrenceEnd(rule.until, zone)
    const open = rule.clone()
    open.until = null
    const from = shifted(begin, open, this.#span.fromMs - lengthMs)
    const iterator = open.iterator(from)
    for (let count = 0; count < repeatsMax && this.#repeatsLeft > 0; count++, this.#repeatsLeft--) {
      const next = iterator.next()
      if (!next) return
      const at = toMoment(next, zone)
      if (at >= this.#span.toMs || at > untilMs) return
      yield at
    }
    this.complete = false
  }
}

const none: ReadonlySet<number> = new Set()

function isFree(event: Event): boolean {
  return (
    propertyText(event, 'status').toUpperCase() === 'CANCELLED' ||
    propertyText(event, 'transp').toUpperCase() === 'TRANSPARENT' ||
    propertyText(event, 'x-microsoft-cdo-busystatus').toUpperCase() === 'FREE'
  )
}

function propertyValues(property: ICAL.Property): unknown[] {
  try {
    return property.getValues()
  } catch {
    return []
  }
}

/** The moment of a wall-clock time. A time in UTC needs no zone. */
function toMoment(time: ICAL.Time, zone: CalendarZone): number {
  const localMs = wallMs(time)
  return time.zone === ICAL.Timezone.utcTimezone ? localMs : zone.toInstant(localMs)
}

function wallMs({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** A last day includes all of that day. */
function recurrenceEnd(until: ICAL.Time, zone: CalendarZone): number {
  return toMoment(until, zone) + (until.isDate ? dayMs - 1 : 0)
}

/**
 * A later start of a daily or weekly rule with the same occurrences after it, so that those of past years are not counted
 * one by one. A rule with a count has to be counted.
 */
function shifted(begin: ICAL.Time, rule: ICAL.Recur, fromMs: number): ICAL.Time {
  const days = rule.freq === 'DAILY' ? 1 : rule.freq === 'WEEKLY' ? 7 : null
  if (days === null || rule.count) return begin
  const periodMs = days * Math.max(1, rule.interval) * dayMs
  // Local times differ from UTC by less than a day.
  const periods = Math.floor((fromMs - 24 * hourMs - wallMs(begin)) / periodMs) - 1
  if (periods <= 0) return begin
  const later = begin.clone()
  later.addDuration(ICAL.Duration.fromSeconds((periods * periodMs) / 1_000))
  return later
}

function mergedTimes(times: [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of times.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else if (end > start) merged.push([start, end])
  }
  return merged
}
