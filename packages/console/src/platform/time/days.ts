import { localDay } from './format.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When a day begins in a zone, including zones whose clocks go forward at midnight. */
export function dayStart(date: string, zone: string): string {
  const utc = Date.parse(`${date}T00:00:00Z`)
  const near = utc - offsetMs(utc, zone)
  const starts = [utc - offsetMs(near, zone), near].map((ms) => new Date(ms).toISOString())
  return starts.find((start) => localDay(start, zone) === date) ?? starts[0]!
}

/** The moment when clocks in a zone show this day and time. A time that the clocks skip is moved forward. */
export function toMoment(date: string, clock: string, zone: string): string {
  const utc = Date.parse(`${date}T${clock}:00Z`)
  const near = utc - offsetMs(utc, zone)
  return new Date(utc - offsetMs(near, zone)).toISOString()
}

/** The moment of a field for date and time (`2026-03-02T09:30`); null if the field is not complete. */
export function typedMoment(typed: string, zone: string): string | null {
  const [date = '', clock = ''] = typed.split('T')
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && /^\d{2}:\d{2}$/.test(clock) ? toMoment(date, clock, zone) : null
}

/** The text of a field for date and time that shows this moment, without its seconds. */
export function toTyped(iso: string, zone: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return shown.format(new Date(iso)).replace(' ', 'T')
}

/** The day that is this many days after a day. */
export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

function offsetMs(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+)(?::(\d+))?/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
}
