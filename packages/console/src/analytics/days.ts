const dayMs = 86_400_000

/** Calendar dates, oldest first. They are counted in UTC, where each day has 24 hours. */
export function datesUntil(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`)
  return Array.from({ length: count }, (_none, index) =>
    new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
  )
}
