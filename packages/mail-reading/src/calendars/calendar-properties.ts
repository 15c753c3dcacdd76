import { dayMs } from '@overture/ground/time/spans.ts'
import ICAL from 'ical.js'
import type { CalendarZone } from './calendar-zones.ts'

const earliest = Date.UTC(1970, 0, 1)
export const latest = Date.UTC(2200, 0, 1)

/** Parses each line separately, so that an unreadable line doesn't affect the others. */
export function parseProperties(lines: readonly string[]): ICAL.Property[] {
  return lines.flatMap((line) => {
    try {
      return [ICAL.Property.fromString(withQuotedZone(line))]
    } catch {
      return []
    }
  })
}

const timedLine = /^(DTSTART|DTEND)(;.{1,600})?:(\d{8}(?:T\d{6}Z?)?)[ \t]{0,20}$/i

/**
 * Adds quotes to an unquoted TZID with a colon, a comma or a semicolon, where the parser would end it, and the type of a date,
 * which some programs leave out.
 */
function withQuotedZone(line: string): string {
  const found = timedLine.exec(line)
  if (found === null) return line
  const isDay = found[3]!.length === 8
  const given = (found[2] ?? '').replace(isDay ? /;VALUE=[A-Z-]{1,20}/i : '', '') + (isDay ? ';VALUE=DATE' : '')
  const parameters = given.replace(
    /;TZID=(?!")([^"]{1,500}?)(?=;[A-Z-]{1,40}=|$)/i,
    (_, zone: string) => `;TZID="${zone}"`,
  )
  return `${found[1]!}${parameters}:${found[3]!}`
}

export function first(properties: readonly ICAL.Property[], name: string): ICAL.Property | undefined {
  return properties.find((property) => property.name === name)
}

export function propertyText(properties: readonly ICAL.Property[], name: string): string {
  const property = first(properties, name)
  return property === undefined ? '' : propertyValue(property)
}

// Values are parsed lazily. A value that doesn't match its type is returned as an empty text.
export function propertyValue(property: ICAL.Property): string {
  try {
    return String(property.getFirstValue() ?? '').trim()
  } catch {
    return ''
  }
}

export function findParameter(property: ICAL.Property, name: string): string | null {
  const value = property.getParameter(name)
  return typeof value === 'string' ? value : null
}

/** Milliseconds since 1970 of a time, or of a date at midnight; null for anything else. */
export function parseInstant(property: ICAL.Property, zone: CalendarZone): number | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', utc] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(Z)?)?$/.exec(propertyValue(property)) ?? []
  if (year === undefined) return null
  const localMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const at = utc === undefined ? zone.toInstant(localMs) : localMs
  return at >= earliest && at <= latest ? at : null
}

export function isDay(property: ICAL.Property): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(propertyValue(property))
}

interface EventStart {
  start: ICAL.Property
  startMs: number
  zoneOfProperty: (property: ICAL.Property) => CalendarZone
  /** The length of an event with a time but without an end. One with a date lasts a day. */
  unknownLengthMs: number
}

export function readEnd(
  event: readonly ICAL.Property[],
  { start, startMs, zoneOfProperty, unknownLengthMs }: EventStart,
): number {
  const end = first(event, 'dtend')
  const endMs =
    end === undefined ? startMs + durationMs(first(event, 'duration')) : parseInstant(end, zoneOfProperty(end))
  return endMs !== null && endMs > startMs ? endMs : startMs + (isDay(start) ? dayMs : unknownLengthMs)
}

function durationMs(property: ICAL.Property | undefined): number {
  try {
    const value = property?.getFirstValue()
    return value instanceof ICAL.Duration ? value.toSeconds() * 1_000 : 0
  } catch {
    return 0
  }
}
