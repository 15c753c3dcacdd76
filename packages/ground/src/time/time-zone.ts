import { dayMs } from './spans.ts'
import { Temporal } from 'temporal-polyfill'

/**
 * A period in which a zone's offset is constant. A call of Temporal costs tens of microseconds, so each stretch is computed once,
 * and further conversions are additions of milliseconds.
 */
interface ZoneStretch {
  /** Epoch milliseconds, inclusive; -Infinity if the zone has no earlier change. */
  from: number
  /** Epoch milliseconds, exclusive. */
  to: number
  /** Local time is UTC plus this many milliseconds. */
  offsetMs: number
}

const stretchesPerZoneMax = 64
const zonesMax = 1000

const stretchesByZone = new Map<string, ZoneStretch[]>()
const knownZones = new Map<string, boolean>()

/** The stretch of constant offset that contains an instant. Throws RangeError for an unknown zone. */
export function stretchAt(zone: string, atMs: number): ZoneStretch {
  const stretches = stretchesByZone.get(zone)
  if (stretches) for (const stretch of stretches) if (atMs >= stretch.from && atMs < stretch.to) return stretch
  return rememberStretch(zone, atMs, stretches)
}

export function isKnownZone(zone: string): boolean {
  const known = knownZones.get(zone)
  if (known !== undefined) return known
  if (knownZones.size > zonesMax) knownZones.clear()
  let valid = true
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
  } catch {
    valid = false
  }
  knownZones.set(zone, valid)
  return valid
}

/** The day of the zone's calendar at an instant, as days since 1970-01-01. */
export function dayNumberAt(zone: string, atMs: number): number {
  return Math.floor((atMs + stretchAt(zone, atMs).offsetMs) / dayMs)
}

/** The day number as `YYYY-MM-DD`. */
export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The day number of `YYYY-MM-DD`. */
export function parseDayNumber(name: string): number {
  return Math.floor(Date.parse(`${name}T00:00:00.000Z`) / dayMs)
}

/** The day in a zone at an instant, as `YYYY-MM-DD`. Daily caps count by this day. */
export function dayIn(zone: string, at: Date): string {
  return dayName(dayNumberAt(zone, at.getTime()))
}

/** The first instant of a zone's day. */
export function startOfDayMs(zone: string, day: number): number {
  return toInstant(zone, day * dayMs)
}

/** Monday is 0 and Sunday 6. 1970-01-01 was a Thursday. */
export function toWeekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/**
 * The instant at which a zone's clocks show `localMs` (milliseconds as if local time were UTC). In autumn it is the earlier of
 * two; in the spring gap it is the time shown an hour later.
 */
export function toInstant(zone: string, localMs: number): number {
  const before = stretchAt(zone, localMs - dayMs)
  const after = stretchAt(zone, localMs + dayMs)
  for (const stretch of [before, after]) {
    const instant = localMs - stretch.offsetMs
    if (stretchAt(zone, instant).offsetMs === stretch.offsetMs) return instant
  }
  return localMs - before.offsetMs
}

function rememberStretch(zone: string, atMs: number, stretches: ZoneStretch[] | undefined): ZoneStretch {
  const at = Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(zone)
  const stretch = {
    from: at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    to: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offsetMs: Math.round(at.offsetNanoseconds / 1_000_000),
  }
  if (!stretches || stretches.length >= stretchesPerZoneMax) {
    if (stretchesByZone.size > zonesMax) stretchesByZone.clear()
    stretchesByZone.set(zone, [stretch])
  } else {
    stretches.push(stretch)
  }
  return stretch
}
