/**
 * The largest number of requests started within a second. A session may send 30 per second. A page that was just reloaded sent requests
 * before, so each page load uses less than half of the limit. That also keeps within 900 per minute.
 */
const startsPerSecondMax = 14
const secondMs = 1_000

let free = startsPerSecondMax
const waiting: (() => void)[] = []

/** `fetch` that waits for its turn, so that the server does not refuse it. */
export async function pacedFetch(url: string, init: RequestInit): Promise<Response> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  setTimeout(handOn, secondMs)
  return fetch(url, init)
}

function handOn(): void {
  const next = waiting.shift()
  if (next === undefined) free++
  else next()
}
