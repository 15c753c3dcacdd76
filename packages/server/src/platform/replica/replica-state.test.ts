import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasReplayed, unfitReplica } from './replica-state.ts'

const written = { at: 500, timeline: 2, system: '71', database: '5' }
const standby = { ...written, isStandby: true }

test.each([
  [standby, null],
  [{ ...standby, at: null }, null],
  [{ ...standby, system: '72' }, /not a copy of the one in DATABASE_URL: name a standby/],
  [{ ...standby, database: '6' }, /another database than the one.*Use the same database name/],
  [{ ...standby, isStandby: false }, /is not a replica.*Use a standby/],
])('%o is a replica or refused: %s', (replayed, reason) => {
  const refusal = unfitReplica(written, replayed)
  if (reason === null) expect(refusal).toBeNull()
  else expect(refusal).toMatch(reason)
})

test("progress on another timeline doesn't count", () => {
  const positions = fc.record({ at: fc.nat(), timeline: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(positions, positions, (there, here) => {
      const has = hasReplayed({ ...written, ...there }, { ...standby, ...here })
      expect(has).toBe(there.timeline === here.timeline && here.at >= there.at)
    }),
  )
  expect(hasReplayed(written, { ...standby, at: null })).toBe(false)
})
