import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueInMs, dueNow, gatherMs, togetherMs } from './gather.ts'

const apartMs = { costly: 20_000 }
const areas = ['cheap', 'costly'] as const

/** Replays events in the order of their times. Returns when each area was read again. */
function readings(
  events: readonly { atMs: number; area: string }[],
  untilMs: number,
): { atMs: number; area: string }[] {
  const stale = new Set<string>()
  const readAtMs = new Map<string, number>()
  const gathered = { stale, readAtMs, apartMs }
  const read: { atMs: number; area: string }[] = []
  const left = events.toSorted((one, other) => one.atMs - other.atMs)
  let nowMs = 0
  while (nowMs <= untilMs) {
    const inMs = dueInMs(gathered, nowMs)
    const nextMs = left[0]?.atMs ?? Number.POSITIVE_INFINITY
    const flushMs = inMs === null ? Number.POSITIVE_INFINITY : nowMs + inMs
    nowMs = Math.min(nextMs, flushMs)
    if (nextMs <= flushMs && left.length > 0) stale.add(left.shift()!.area)
    else
      for (const area of dueNow(gathered, nowMs)) {
        stale.delete(area)
        readAtMs.set(area, nowMs)
        read.push({ atMs: nowMs, area })
      }
  }
  return read
}

test('changed data is read again soon after its change, and never faster than its pace', () => {
  const event = fc.record({ atMs: fc.nat(120_000), area: fc.constantFrom(...areas) })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const read = readings(events, 10_000_000)
      for (const area of areas) {
        const paceMs = area === 'costly' ? apartMs.costly : gatherMs
        const times = read.filter((one) => one.area === area).map(({ atMs }) => atMs)
        for (const [at, atMs] of times.slice(1).entries()) expect(atMs - times[at]!).toBeGreaterThanOrEqual(paceMs)
        for (const { atMs } of events.filter((one) => one.area === area)) {
          const after = times.find((one) => one >= atMs)
          expect(after).toBeDefined()
          const before = times.findLast((one) => one < atMs) ?? Number.NEGATIVE_INFINITY
          expect(after! - Math.max(atMs, before + paceMs)).toBeLessThanOrEqual(60 * togetherMs)
        }
      }
    }),
  )
})

test('without outdated data nothing is due', () => {
  expect(dueInMs({ stale: new Set(), readAtMs: new Map(), apartMs }, 5)).toBeNull()
})
