import { currentLocale } from '../text/words.ts'

/** A time for people, always with its zone. */
export function timeText(iso: string, zone: string): string {
  return format(iso, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}

export function longTimeText(iso: string, zone: string): string {
  return format(iso, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
}

/** A short time for rows: the hour if it is today, else the day. The full time is in the title. */
export function shortTimeText(iso: string, now: string, zone: string): string {
  const sameDay = localDay(iso, zone) === localDay(now, zone)
  return sameDay
    ? format(iso, { timeZone: zone, hour: '2-digit', minute: '2-digit' })
    : format(iso, { timeZone: zone, day: 'numeric', month: 'short' })
}

/** A range of dates, without repeating parts that both dates share. */
export function datesText(from: string, to: string): string {
  const [start, end] = [from, to].map((date) => new Date(`${date.slice(0, 10)}T00:00:00Z`))
  return new Intl.DateTimeFormat(currentLocale(), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).formatRange(start!, end!)
}

/** A calendar date is not a moment. It is formatted in UTC, so that no zone changes it. */
export function dateText(date: string): string {
  return format(`${date.slice(0, 10)}T00:00:00Z`, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}

export function shortDateText(date: string): string {
  return format(`${date.slice(0, 10)}T00:00:00Z`, { timeZone: 'UTC', day: 'numeric', month: 'short' })
}

/** The day of a time in a zone: `2026-11-23`. */
export function localDay(iso: string, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(iso))
}

export function numberText(value: number): string {
  return new Intl.NumberFormat(currentLocale()).format(value)
}

export function percentText(share: number): string {
  return new Intl.NumberFormat(currentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

export function moneyText(cents: number, currency: string): string {
  return new Intl.NumberFormat(currentLocale(), { style: 'currency', currency }).format(cents / 100)
}

function format(iso: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(currentLocale(), options).format(new Date(iso))
}

const unitBytes = 1_000
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size as operating systems show it: 1.2 MB, 51 bytes. */
export function bytesText(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(unitBytes)))
  return new Intl.NumberFormat(currentLocale(), {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / unitBytes ** power)
}
