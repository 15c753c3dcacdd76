import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  adjust,
  decideCharge,
  decideReservation,
  monthAfter,
  release,
  settle,
  balanceSignals,
  type Balance,
} from './balance.ts'

const fresh: Balance = { balance: 100, expiring: 100, reserved: 0, leadUsed: 0, leadReserved: 0 }

describe('spending', () => {
  test('is refused without balance or with reserved credits', () => {
    expect(decideCharge(fresh, 'starter', { amount: 101, leadCredits: false })).toEqual({
      outcome: 'refused',
      because: 'balance',
    })
    const reserved = decideReservation(fresh, 'starter', { amount: 60, leadCredits: false })
    expect(reserved.outcome).toBe('granted')
    if (reserved.outcome !== 'granted') return
    expect(decideCharge(reserved.next, 'starter', { amount: 41, leadCredits: false }).outcome).toBe('refused')
    expect(decideCharge(reserved.next, 'starter', { amount: 40, leadCredits: false }).outcome).toBe('granted')
  })

  test('of lead credits in a trial stops at 50', () => {
    const used = { ...fresh, leadUsed: 45, balance: 55, expiring: 55 }
    expect(decideCharge(used, 'trial', { amount: 5, leadCredits: true }).outcome).toBe('granted')
    expect(decideCharge(used, 'trial', { amount: 6, leadCredits: true })).toEqual({
      outcome: 'refused',
      because: 'lead_credit_cap',
    })
    expect(decideCharge(used, 'trial', { amount: 6, leadCredits: false }).outcome).toBe('granted')
    expect(decideCharge(used, 'starter', { amount: 6, leadCredits: true }).outcome).toBe('granted')
    const reserved = { ...used, leadReserved: 5, reserved: 5 }
    expect(decideCharge(reserved, 'trial', { amount: 1, leadCredits: true }).outcome).toBe('refused')
  })

  test('uses expiring credits first', () => {
    const state = { ...fresh, balance: 150, expiring: 100 }
    const decision = decideCharge(state, 'starter', { amount: 30, leadCredits: false })
    expect(decision).toMatchObject({ outcome: 'granted', next: { balance: 120, expiring: 70 } })
  })

  test('settles at most the reserved amount and releases the rest', () => {
    const state = { ...fresh, reserved: 10, leadReserved: 10 }
    expect(settle(state, { amount: 10, leadCredits: true }, 4)).toEqual({
      charged: 4,
      next: { balance: 96, expiring: 96, reserved: 0, leadUsed: 4, leadReserved: 0 },
    })
    expect(settle(state, { amount: 10, leadCredits: true }, 40).charged).toBe(10)
    expect(release(state, { amount: 10, leadCredits: true })).toEqual(fresh)
  })
})

describe('any sequence of movements', () => {
  test('keeps 0 <= expiring <= balance', () => {
    const amount = fc.integer({ min: 0, max: 80 })
    const move = fc.oneof(
      fc.record({ kind: fc.constant('charge' as const), amount }),
      fc.record({ kind: fc.constant('grant' as const), amount, expiring: fc.boolean() }),
      fc.record({ kind: fc.constant('take' as const), amount, expiring: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        let state = fresh
        for (const next of moves) {
          if (next.kind === 'charge') {
            const decision = decideCharge(state, 'starter', { amount: next.amount, leadCredits: false })
            if (decision.outcome === 'granted') state = decision.next
          } else {
            state = adjust(state, {
              amount: next.kind === 'grant' ? next.amount : -next.amount,
              expiring: next.expiring,
            })
          }
          expect(state.balance).toBeGreaterThanOrEqual(0)
          expect(state.expiring).toBeGreaterThanOrEqual(0)
          expect(state.expiring).toBeLessThanOrEqual(state.balance)
        }
      }),
    )
  })
})

describe('credit events', () => {
  test.each([
    [100, 10, 10, []],
    [100, 9, 10, ['credits.low']],
    [9, 8, 10, []],
    [9, 0, 10, ['credits.exhausted']],
    [100, 0, 10, ['credits.low', 'credits.exhausted']],
    [0, 0, 10, []],
  ])('from %i to %i with the limit %i: %j', (before, after, lowAt, expected) => {
    expect(balanceSignals(before, after, lowAt)).toEqual(expected)
  })
})

describe('months later', () => {
  test.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 2, '2026-03-31T10:00:00.000Z'],
    ['2026-12-15T00:00:00.000Z', 1, '2027-01-15T00:00:00.000Z'],
  ])('%s plus %i months is %s', (from, months, expected) => {
    expect(monthAfter(new Date(from), months).toISOString()).toBe(expected)
  })
})
