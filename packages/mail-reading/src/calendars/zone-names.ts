import { WINDOWS_TO_IANA_MAP } from 'windows-iana'
import { hourMs } from '@overture/ground/time/spans.ts'
import { isKnownZone, stretchAt } from '@overture/ground/time/time-zone.ts'

/** A name means a zone of the IANA database or a constant offset. */
type NamedZone = { name: string } | { offsetMs: number }

const nameCharsMax = 300
const citiesMax = 12
/** A larger offset is an error. Zones in use are at most 14 hours from UTC. */
export const offsetMsMax = 18 * hourMs
/** One date per half-year, since no place has daylight saving time on both. */
const winters = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]

const utcNames = new Set([
  'utc',
  'gmt',
  'z',
  'zulu',
  'coordinated universal time',
  'tzone://microsoft/utc',
  '(utc) coordinated universal time',
])

/** Windows names from CLDR's windowsZones. The first zone of each name is the one for the whole world. */
const windowsZones = new Map<string, string>()
for (const { windowsName, iana } of WINDOWS_TO_IANA_MAP)
  if (iana[0] !== undefined && !windowsZones.has(windowsName.toLowerCase()))
    windowsZones.set(windowsName.toLowerCase(), iana[0])

/** Regions in Windows display names that are not cities. */
const regions: readonly [string, string][] = [
  ['eastern time', 'America/New_York'],
  ['central time', 'America/Chicago'],
  ['mountain time', 'America/Denver'],
  ['pacific time', 'America/Los_Angeles'],
  ['atlantic time', 'America/Halifax'],
  ['arizona', 'America/Phoenix'],
  ['alaska', 'America/Anchorage'],
  ['hawaii', 'Pacific/Honolulu'],
  ['newfoundland', 'America/St_Johns'],
  ['saskatchewan', 'America/Regina'],
  ['chennai', 'Asia/Kolkata'],
  ['beijing', 'Asia/Shanghai'],
  ['islamabad', 'Asia/Karachi'],
  ['abu dhabi', 'Asia/Dubai'],
  ['kyiv', 'Europe/Kyiv'],
  ['brasilia', 'America/Sao_Paulo'],
  ['edinburgh', 'Europe/London'],
  ['bern', 'Europe/Zurich'],
  ['canberra', 'Australia/Sydney'],
  ['wellington', 'Pacific/Auckland'],
]

/** The form in which zone names are compared: unescaped (RFC 5545, 3.3.11), without quotes and outer spaces. */
export function zoneKey(text: string): string {
  return text
    .slice(0, nameCharsMax)
    .replace(/\\([,;:\\])/g, '$1')
    .replace(/^[\s"]{0,20}|[\s"]{0,20}$/g, '')
}

/** The zone that a name defines without rules; null if only rules could define it. */
export function namedZone(tzid: string): NamedZone | null {
  const key = zoneKey(tzid)
  const name = ianaName(key)
  if (name !== null) return { name }
  const lower = key.toLowerCase()
  if (utcNames.has(lower)) return { name: 'UTC' }
  const windows = windowsZones.get(lower)
  if (windows !== undefined) return { name: windows }
  const offsetMs = parseOffset(key)
  return offsetMs === null ? displayedZone(lower) : { offsetMs }
}

/** Whether the name is in the IANA database, whose rules are more reliable than those in a calendar. */
export function isIana(tzid: string): boolean {
  return ianaName(zoneKey(tzid)) !== null
}

/** Some programs add a prefix: /example.org/20210101_1/Europe/Berlin. */
function ianaName(tzid: string): string | null {
  const parts = tzid.split('/')
  for (const from of [0, parts.length - 2, parts.length - 3]) {
    const name = parts.slice(Math.max(0, from)).join('/')
    if (/^[a-z][\w+/-]{0,63}$/i.test(name) && isKnownZone(name)) return name
  }
  return null
}

/** Parses `UTC+2`, `GMT+0100`, `+05:30` and similar forms. */
function parseOffset(name: string): number | null {
  const found = /^(?:utc|gmt)?\s?([+\u2212-])\s?(\d{1,2})(?::?(\d\d))?$/i.exec(name)
  if (found === null) return null
  const offsetMs = (Number(found[2]) + Number(found[3] ?? 0) / 60) * hourMs
  return offsetMs > offsetMsMax ? null : found[1] === '+' ? offsetMs : -offsetMs
}

/** Parses "(UTC+01:00) Amsterdam, Berlin": the first known place that has this offset outside of summer time. */
function displayedZone(name: string): NamedZone | null {
  const found = /^\((?:utc|gmt)(?:\s?([+\u2212-]\d{1,2}:?\d\d))?\)\s?(.{2,250})$/.exec(name)
  if (found === null) return null
  const offsetMs = found[1] === undefined ? 0 : parseOffset(found[1])
  for (const place of found[2]!.split(/[,:;&]/, citiesMax)) {
    const zone = zoneOfPlace(place.trim())
    if (zone !== null && winters.some((at) => stretchAt(zone, at).offsetMs === offsetMs)) return { name: zone }
  }
  return null
}

let places: ReadonlyMap<string, string> | null = null

function zoneOfPlace(place: string): string | null {
  const region = regions.find(([name]) => place.startsWith(name))
  if (region !== undefined) return region[1]
  places ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      zone
        .slice(zone.lastIndexOf('/') + 1)
        .replaceAll('_', ' ')
        .toLowerCase(),
      zone,
    ]),
  )
  return places.get(place) ?? null
}
