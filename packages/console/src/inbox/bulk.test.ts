import type { Conversation } from '@overture/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bulkBodies, inverseBodies, type ConversationsChange } from './bulk.ts'

const label = fc.constantFrom('interested', 'won', null)
const some = fc.uniqueArray(
  fc.record({ id: fc.uuid(), unread: fc.boolean(), archived: fc.boolean(), interest: label }),
  { maxLength: 250, selector: ({ id }) => id },
) as fc.Arbitrary<Conversation[]>
const change = fc.record(
  { read: fc.boolean(), archived: fc.boolean(), interest: label },
  { requiredKeys: [] },
) as fc.Arbitrary<ConversationsChange>

function applied(to: readonly Conversation[], bodies: ReturnType<typeof bulkBodies>): Conversation[] {
  return bodies.reduce<Conversation[]>(
    (now, { ids, read, ...rest }) =>
      now.map((one) =>
        ids.includes(one.id) ? { ...one, ...rest, ...(read !== undefined && { unread: !read }) } : one,
      ),
    [...to],
  )
}

test('a bulk change and its inverse restore the state, with at most a hundred ids per call', () => {
  fc.assert(
    fc.property(some, change, (before, what) => {
      const there = bulkBodies(before, what)
      const back = inverseBodies(before, what)
      for (const { ids } of [...there, ...back]) expect(ids.length).toBeLessThanOrEqual(100)
      expect(applied(applied(before, there), back)).toEqual(before)
    }),
    { numRuns: 50 },
  )
})
