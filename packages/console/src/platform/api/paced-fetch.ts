/**
 * What begins within a second at most. A session may ask 30 times per second; a page that was just reloaded has asked
 * before, so each begins no more than half of that, and 900 per minute are kept as well.
 */
const startsPerSecondMax = 14
const secondMs = 1_000

let free = startsPerSecondMax
const waiting: (() => void)[] = []

/** `fetch` that waits its turn instead of being refused. */
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
