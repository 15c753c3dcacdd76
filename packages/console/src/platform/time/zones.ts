/** All time zones that the browser knows, by name. */
export function knownZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** The zone that a user typed: its name in any case, or the name of its city. A text that names no zone is returned as it is. */
export function matchZone(typed: string, zones: readonly string[]): string {
  const wanted = letters(typed)
  const found =
    zones.find((zone) => letters(zone) === wanted) ?? zones.find((zone) => letters(zone.split('/').at(-1)!) === wanted)
  return wanted === '' ? typed : (found ?? typed)
}

function letters(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
}

/** The time zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
