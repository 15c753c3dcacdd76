import { findIana } from 'windows-iana'

const offset = /^(?:UTC|GMT)?\s*([+-])\s*(\d{1,2})(?::?00)?$/i
const givenCharsMax = 64

/** The IANA zone that a person probably meant by a Windows name, an offset of whole hours, or a city. Null if there is none. */
export function suggestZone(given: string): string | null {
  const name = given.trim()
  if (name === '' || name.length > givenCharsMax) return null
  const [windows] = findIana(name)
  return windows ?? zoneOfOffset(name) ?? zonesByWords().get(normalizeWords(name)) ?? null
}

// Names in the `Etc` area have the opposite sign: `Etc/GMT-2` is two hours ahead of UTC.
function zoneOfOffset(name: string): string | null {
  const [, sign, digits] = offset.exec(name) ?? []
  if (sign === undefined) return null
  const hours = Number(digits)
  if (hours === 0) return 'UTC'
  return hours > (sign === '+' ? 14 : 12) ? null : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
}

let known: ReadonlyMap<string, string> | null = null

/** Zones by their whole name and by their city, reduced to letters. */
function zonesByWords(): ReadonlyMap<string, string> {
  if (known !== null) return known
  const zones = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const city = normalizeWords(zone.slice(zone.lastIndexOf('/') + 1))
    if (!zones.has(city)) zones.set(city, zone)
    zones.set(normalizeWords(zone), zone)
  }
  known = zones
  return known
}

function normalizeWords(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}
