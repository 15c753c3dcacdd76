import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paceOn, resumed, reviewMs, worsen, type Pace, type StoredPace } from './pace.ts'
import { judgeSignals, signalScore, type Signals } from './signals.ts'
import { dailyAllowance } from '../pacing.ts'

const none = { bad: 0, sample: 0 }
const quiet: Signals = {
  bounces: none,
  complaints: none,
  spamPlacement: none,
  policyRefusals: none,
  authenticationWrongSince: null,
  requireAuthentication: false,
}
const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 2, day, hour))
const rampUp = { enabled: true, mode: 'adaptive' as const, startPerDay: 10, incrementPerDay: 5, ceiling: null }
const fresh = {
  timezone: 'UTC',
  rampUp,
  rampStartedAt: at(1),
  pace: null as StoredPace | null,
  dailyLimit: 100,
  reservedPerDay: 0,
}
const bounces = (bad: number, sample = 100): Signals => ({ ...quiet, bounces: { bad, sample } })

describe('judging signals', () => {
  // Source: docs/deliverability.md, the table of signals.
  test.each<[string, Partial<Signals>, string]>([
    ['bounces below 2 %', { bounces: { bad: 1, sample: 100 } }, 'healthy'],
    ['bounces of too few messages', { bounces: { bad: 5, sample: 19 } }, 'healthy'],
    ['bounces at 2 %', { bounces: { bad: 2, sample: 100 } }, 'watch'],
    ['bounces at 3 %', { bounces: { bad: 3, sample: 100 } }, 'cooling'],
    ['one bounce of 20', { bounces: { bad: 1, sample: 20 } }, 'held'],
    ['complaints of too few messages', { complaints: { bad: 5, sample: 99 } }, 'healthy'],
    ['complaints at 0.1 %', { complaints: { bad: 1, sample: 1000 } }, 'watch'],
    ['complaints at 0.2 %', { complaints: { bad: 2, sample: 1000 } }, 'cooling'],
    ['complaints at 0.3 %', { complaints: { bad: 3, sample: 1000 } }, 'held'],
    ['one seed of ten in spam', { spamPlacement: { bad: 1, sample: 10 } }, 'watch'],
    ['two seeds of ten in spam', { spamPlacement: { bad: 2, sample: 10 } }, 'cooling'],
    ['four seeds of nine in spam', { spamPlacement: { bad: 4, sample: 9 } }, 'healthy'],
    ['four seeds of ten in spam', { spamPlacement: { bad: 4, sample: 10 } }, 'held'],
    ['policy refusals at 3 %', { policyRefusals: { bad: 3, sample: 100 } }, 'watch'],
    ['policy refusals at 6 %', { policyRefusals: { bad: 6, sample: 100 } }, 'cooling'],
    ['policy refusals at 12 %', { policyRefusals: { bad: 12, sample: 100 } }, 'held'],
    ['wrong SPF for an hour', { authenticationWrongSince: at(9, 11), requireAuthentication: true }, 'watch'],
    ['wrong SPF for 72 hours', { authenticationWrongSince: at(6), requireAuthentication: true }, 'held'],
    ['wrong SPF that may stay', { authenticationWrongSince: at(1), requireAuthentication: false }, 'watch'],
  ])('%s: %j is %s', (_name, signals, state) => {
    expect(judgeSignals({ ...quiet, ...signals }, at(9)).state).toBe(state)
  })

  test('the worst signal decides, and each one is a reason', () => {
    const verdict = judgeSignals({ ...bounces(2), complaints: { bad: 2, sample: 1000 } }, at(9))
    expect(verdict).toEqual({
      state: 'cooling',
      reasons: [
        { signal: 'complaints', value: 0.002, threshold: 0.002, sample: 1000, scope: 'domain' },
        { signal: 'bounces', value: 0.02, threshold: 0.02, sample: 100, scope: 'mailbox' },
      ],
    })
    expect(signalScore(verdict)).toBe(33)
    expect(signalScore({ reasons: [] })).toBe(100)
  })
})

/** Sends the whole allowance of each day. Bad signals come at noon. */
function play(days: number, signalsOn: Readonly<Record<number, Signals>>): { allowances: number[]; states: string[] } {
  let pace: StoredPace | null = null
  const allowances: number[] = []
  const states: string[] = []
  for (let day = 1; day <= days; day++) {
    const rolled: Pace = paceOn({ ...fresh, pace }, at(day).getTime())
    const signals = signalsOn[day]
    const after: Pace =
      signals === undefined ? rolled : worsen({ ...fresh, pace }, judgeSignals(signals, at(day)), at(day))
    pace = { ...after, used: after.allowance }
    allowances.push(after.allowance)
    states.push(after.state)
  }
  return { allowances, states }
}

describe('the adaptive ramp', () => {
  test('grows while it is used, falls on the day of bad signals, and grows again after seven clean days', () => {
    const { allowances, states } = play(20, { 5: bounces(3) })
    // Worked out by hand: 10, +5 per day; day 5 would have 30, times 0.75 is 22; then 16, 12, and never below 10.
    expect(allowances).toEqual([10, 15, 20, 25, 22, 16, 12, 10, 10, 10, 10, 10, 15, 20, 25, 30, 35, 40, 45, 50])
    expect(states.slice(3, 13)).toEqual(['healthy', ...Array.from({ length: 8 }, () => 'cooling'), 'healthy'])
  })

  test('keeps its allowance while it is watched', () => {
    const { allowances } = play(14, { 3: bounces(2) })
    expect(allowances).toEqual([10, 15, 20, 20, 20, 20, 20, 20, 20, 20, 25, 30, 35, 40])
  })

  test('counts the clean days again after another bad signal, and falls once per day', () => {
    const { states } = play(16, { 3: bounces(3), 6: bounces(4) })
    expect(states.lastIndexOf('cooling') + 1).toBe(13)
    const first = worsen(fresh, judgeSignals(bounces(3), at(4)), at(4))
    const second = worsen({ ...fresh, pace: { ...first, used: 0 } }, judgeSignals(bounces(4), at(4, 15)), at(4, 15))
    expect(second.allowance).toBe(first.allowance)
    expect(second).toMatchObject({ since: first.since, reasons: [{ value: 0.04 }] })
  })

  test('does not grow if less than half of the allowance was used', () => {
    const used = (count: number) =>
      paceOn({ ...fresh, pace: { ...paceOn(fresh, at(1).getTime()), used: count } }, at(2).getTime()).allowance
    expect([used(4), used(5)]).toEqual([10, 15])
  })

  test('obeys ceiling, daily limit and the messages of another tool', () => {
    const pace: StoredPace = { ...paceOn(fresh, at(1).getTime()), allowance: 80, used: 0 }
    const allowance = (change: object) => dailyAllowance({ ...fresh, pace, ...change }, at(1).getTime())
    expect(allowance({})).toBe(80)
    expect(allowance({ rampUp: { ...rampUp, ceiling: 60 } })).toBe(60)
    expect(allowance({ reservedPerDay: 50 })).toBe(50)
    expect(allowance({ rampUp: { ...rampUp, mode: 'fixed' } })).toBe(10)
  })

  test('a hold lasts until a person resumes, and then cools down', () => {
    const held = worsen(fresh, judgeSignals(bounces(5), at(1)), at(1))
    expect(held.state).toBe('held')
    expect(paceOn({ ...fresh, pace: { ...held, used: 0 } }, at(30).getTime()).state).toBe('held')
    expect(reviewMs(held, 'UTC')).toBeNull()
    const after = resumed({ ...fresh, pace: { ...held, used: 0 } }, at(10))
    expect(after).toMatchObject({ state: 'cooling', badDay: '2026-03-10' })
    expect(reviewMs(after, 'UTC')).toBe(Date.UTC(2026, 2, 18))
  })

  test('one look after many days is the same as a look on each day', () => {
    const signals = fc.record({ bad: fc.integer({ min: 0, max: 6 }), day: fc.integer({ min: 1, max: 6 }) })
    fc.assert(
      fc.property(
        signals,
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 40 }),
        ({ bad, day }, used, gap) => {
          const stored = { ...worsen(fresh, judgeSignals(bounces(bad), at(day)), at(day)), used }
          const target = at(day + gap).getTime()
          let pace: StoredPace = stored
          for (let step = day + 1; step <= day + gap; step++)
            pace = { ...paceOn({ ...fresh, pace }, at(step).getTime()), used: 0 }
          const { used: _used, ...daily } = pace
          const once = paceOn({ ...fresh, pace: stored }, target)
          expect(once).toEqual(daily)
        },
      ),
    )
  })

  test('a better signal never makes a state better at once', () => {
    const cooling = worsen(fresh, judgeSignals(bounces(3), at(4)), at(4))
    const watched = worsen({ ...fresh, pace: { ...cooling, used: 0 } }, judgeSignals(bounces(2), at(6)), at(6))
    expect(watched).toMatchObject({ state: 'cooling', badDay: '2026-03-06' })
    const clean = worsen({ ...fresh, pace: { ...cooling, used: 0 } }, judgeSignals(quiet, at(6)), at(6))
    expect(clean).toMatchObject({ state: 'cooling', badDay: '2026-03-04' })
  })
})
