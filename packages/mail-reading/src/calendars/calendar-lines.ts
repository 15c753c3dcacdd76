import { sequence } from '@overture/ground/text/patterns.ts'

/** The largest length of one property. Addresses, names and links are shorter; longer lines are cut. */
const lineCharsMax = 2_000
/** The largest number of lines of an invitation. */
const linesMax = 10_000
/** The largest number of lines of an event, attendees included. */
const eventLinesMax = 500
const zonesMax = 20
/** Zones with more observances are ignored. The longest ones from calendars in use have six. */
const observancesMax = 10
/** Some programs write one `RDATE` per year. */
export const observanceLinesMax = 200

/** The needed lines of a calendar, unfolded, each as `NAME;PARAMETER=…:VALUE`. */
export interface CalendarLines {
  calendar: string[]
  /** The lines of the first event. */
  event: string[]
  zones: ZoneLines[]
}

export interface ZoneLines {
  tzid: string
  /** The lines of each `STANDARD` and `DAYLIGHT` block; null if there are implausibly many. */
  observances: string[][] | null
}

const wanted = {
  calendar: /^(?:METHOD|X-WR-TIMEZONE)[;:]/i,
  event: sequence(
    [
      /^/,
      [
        'UID',
        'SEQUENCE',
        'STATUS',
        'SUMMARY',
        'DTSTART',
        'DTEND',
        'DURATION',
        'LOCATION',
        'URL',
        'ORGANIZER',
        'ATTENDEE',
        'CONFERENCE',
        'X-GOOGLE-CONFERENCE',
        'X-MICROSOFT-SKYPETEAMSMEETINGURL',
      ],
      /[;:]/,
    ],
    'i',
  ),
  observance: /^(?:DTSTART|TZOFFSETFROM|TZOFFSETTO|RRULE|RDATE)[;:]/i,
}

/** Reads any text as a calendar (RFC 5545) in one pass. If a limit is exceeded, only the first part is kept. */
export function readCalendarLines(text: string): CalendarLines {
  const found: CalendarLines = { calendar: [], event: [], zones: [] }
  const open: string[] = []
  let eventsSeen = 0
  for (const line of unfolded(text)) {
    const edge = /^(BEGIN|END):([\w-]{1,40})\s*$/i.exec(line)
    if (edge === null) {
      keep(line, { open: open.join('/'), found, isFirstEvent: eventsSeen === 1 })
      continue
    }
    const name = edge[2]!.toUpperCase()
    if (edge[1]!.toUpperCase() === 'END') {
      const at = open.lastIndexOf(name)
      if (at !== -1) open.length = at
      continue
    }
    // Deeper components are never read.
    if (open.length < 4) open.push(name)
    const path = open.join('/')
    if (path === 'VCALENDAR/VEVENT') eventsSeen++
    if (path === 'VCALENDAR/VTIMEZONE' && found.zones.length < zonesMax) found.zones.push({ tzid: '', observances: [] })
    const zone = found.zones.at(-1)
    if (zone !== undefined && isObservance(path) && zone.observances !== null) {
      if (zone.observances.length < observancesMax) zone.observances.push([])
      else zone.observances = null
    }
  }
  return found
}

function keep(
  line: string,
  { open, found, isFirstEvent }: { open: string; found: CalendarLines; isFirstEvent: boolean },
): void {
  const zone = found.zones.at(-1)
  if (open === 'VCALENDAR') {
    if (wanted.calendar.test(line)) addTo(found.calendar, line, observanceLinesMax)
  } else if (open === 'VCALENDAR/VEVENT') {
    if (isFirstEvent && wanted.event.test(line)) addTo(found.event, line, eventLinesMax)
  } else if (open === 'VCALENDAR/VTIMEZONE') {
    if (zone !== undefined && /^TZID[;:]/i.test(line)) zone.tzid = line.slice(line.indexOf(':') + 1).trim()
  } else if (isObservance(open) && wanted.observance.test(line)) {
    const observance = zone?.observances?.at(-1)
    if (observance !== undefined) addTo(observance, line, observanceLinesMax)
  }
}

function isObservance(path: string): boolean {
  return path === 'VCALENDAR/VTIMEZONE/STANDARD' || path === 'VCALENDAR/VTIMEZONE/DAYLIGHT'
}

function addTo(lines: string[], line: string, max: number): void {
  if (lines.length < max) lines.push(line)
}

/** The unfolded lines (RFC 5545, 3.1): a line that begins with a space continues the line before it. */
export function* unfolded(text: string, max: number = linesMax): Generator<string> {
  let pieces: string[] = []
  let chars = 0
  let count = 0
  let at = 0
  while (at < text.length && count < max) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const continues = text[at] === ' ' || text[at] === '\t'
    if (!continues && pieces.length > 0) {
      count++
      yield pieces.join('')
      pieces = []
      chars = 0
    }
    const piece = text.slice(continues ? at + 1 : at, Math.min(end, at + lineCharsMax - chars)).replace(/\r$/, '')
    if (chars < lineCharsMax) pieces.push(piece)
    chars += piece.length
    at = end + 1
  }
  if (pieces.length > 0) yield pieces.join('')
}
