import { createGuardedFetch, UnreachableError } from '../../platform/mail/guarded-fetch.client.ts'
import type { Reach } from '../../platform/mail/network-guard.client.ts'

const timeoutMs = 20_000
const bytesMax = 10_000_000
const redirectsMax = 3

type CalendarFile = { kind: 'read'; raw: Uint8Array } | { kind: 'failed'; error: string }

/** Downloads a published calendar from addresses that were checked just now, redirects included. Never throws. */
export async function downloadCalendar(address: string, reach: Reach): Promise<CalendarFile> {
  const fetch = createGuardedFetch({ getReach: () => reach, timeoutMs, answerBytesMax: bytesMax })
  let url = address.replace(/^webcal:/i, 'https:')
  try {
    for (let redirects = 0; redirects <= redirectsMax; redirects++) {
      const answer = await fetch(url, {
        method: 'GET',
        headers: { accept: 'text/calendar', 'accept-encoding': 'identity' },
      })
      const location = answer.headers.get('location')
      if (answer.status < 300 || answer.status >= 400 || location === null) return await toCalendarFile(answer)
      const next = URL.parse(location, url)
      // A secret address must not move to a connection that others can read.
      if (next === null || (next.protocol !== 'https:' && next.protocol !== new URL(url).protocol))
        return { kind: 'failed', error: 'The calendar was moved to an address that is not safe.' }
      url = next.href
    }
    return { kind: 'failed', error: `The calendar was moved more than ${redirectsMax} times.` }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return { kind: 'failed', error: error.message }
  }
}

async function toCalendarFile(answer: Response): Promise<CalendarFile> {
  if (answer.status === 200) return { kind: 'read', raw: new Uint8Array(await answer.arrayBuffer()) }
  const gone = [401, 403, 404, 410].includes(answer.status)
  const advice = gone ? ' Copy the address from your calendar program again.' : ''
  return { kind: 'failed', error: `The server of the calendar answered ${answer.status}.${advice}` }
}
