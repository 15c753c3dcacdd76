import { secondMs } from './spans.ts'

/**
 * Milliseconds that a Retry-After header asks for, as seconds or as a date; null where there is none that can be read.
 * Bounding it is up to who waits. Source: RFC 9110, 10.2.3; fractions of a second are taken, since some send them.
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (text === '') return null
  if (/^\d{1,12}(\.\d{1,12})?$/.test(text)) return Number(text) * secondMs
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime())
}
