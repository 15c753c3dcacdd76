import { secondMs } from './spans.ts'

/**
 * The milliseconds of a Retry-After header with seconds or a date; null if there is none that can be read. The caller has to
 * limit them. Source: RFC 9110, 10.2.3. Fractions of a second are accepted, since some servers send them.
 */
export function retryAfterMs(header: string | null | undefined, now: Date): number | null {
  const text = header?.trim() ?? ''
  if (text === '') return null
  if (/^\d{1,12}(\.\d{1,12})?$/.test(text)) return Number(text) * secondMs
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime())
}
