import { expect, test } from 'vitest'
import { makeLead } from '@overture/testing/delivery/plan-fixtures.ts'
import { recipientsAhead } from './recipients-ahead.ts'
import type { GateName } from './plan.types.ts'

const dueAt = new Date('2026-11-20T10:00:00.000Z')
const leads = Array.from({ length: 14 }, (_none, at) => makeLead({ id: `led_${at}`, person: `${at}@a.test`, dueAt }))
const heldBy = (held: Record<number, GateName>) =>
  new Map(Object.entries(held).map(([at, gate]) => [`led_${at}`, gate]))

test('leaves out leads that their own gate holds before their first message', () => {
  const held = heldBy({ 0: 'missing_variable', 1: 'suppressed', 2: 'missing_variable', 3: 'daily_limit' })
  const found = recipientsAhead({ leads, reachedIds: new Set(['led_2', 'led_4']), heldBy: held })
  // The lead led_2 got a message and lacks a value for a later one. The lead led_3 waits for a limit.
  expect(found).toEqual({
    count: 12,
    leftOut: [
      { reason: 'suppressed', count: 1, leads: [{ id: 'led_1', email: '1@a.test', missingVariables: [] }] },
      { reason: 'missing_variable', count: 1, leads: [{ id: 'led_0', email: '0@a.test', missingVariables: [] }] },
    ],
  })
})

test('names at most ten leads for a reason', () => {
  const held = new Map(leads.map(({ id }) => [id, 'suppressed' as const]))
  const { count, leftOut } = recipientsAhead({ leads, reachedIds: new Set(), heldBy: held })
  expect([count, leftOut.map((one) => [one.count, one.leads.length])]).toEqual([0, [[14, 10]]])
})
