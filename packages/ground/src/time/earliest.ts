/** Returns the earliest of the times, or null if all are null. */
export function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (time !== null && (first === null || time < first) ? time : first), null)
}
