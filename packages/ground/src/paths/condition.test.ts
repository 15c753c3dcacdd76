import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, type Condition, type LeadFacts } from './condition.ts'

const now = new Date('2027-02-03T10:00:00.000Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const ada: LeadFacts = {
  leadId: 'led_ada',
  fields: { company: ' ACME ', country: null, 'customVariables.seats': 12, 'customVariables.plan': 'Pro' },
  interest: 'interested',
  intent: 'question',
  sends: [
    { stepId: 'stp_1', at: hoursAgo(50) },
    { stepId: 'stp_2', at: hoursAgo(10) },
  ],
  acts: [
    { did: 'opened', at: hoursAgo(49), stepId: 'stp_1', url: null },
    { did: 'clicked', at: hoursAgo(9), stepId: 'stp_2', url: 'https://example.com/prices?x=1' },
    { did: 'opened', at: hoursAgo(8), stepId: 'stp_2', url: null },
    { did: 'opened', at: hoursAgo(-1), stepId: 'stp_2', url: null },
    { did: 'meeting_booked', at: hoursAgo(5), stepId: null, url: null },
  ],
  signals: [{ name: 'crm.demo', at: hoursAgo(24 * 8) }],
}

const holds = (when: Condition, facts = ada) => judge(when, facts, { stepId: 'stp_3', now }).holds

describe('a condition', () => {
  test.each<[Condition, boolean]>([
    [{ did: 'opened' }, true],
    [{ did: 'opened', times: 2 }, true],
    // The facts contain a third act, but it is in the future.
    [{ did: 'opened', times: 3 }, false],
    [{ did: 'opened', stepId: 'stp_2', times: 2 }, false],
    [{ did: 'opened', stepId: 'stp_1', withinHours: 1 }, true],
    [{ did: 'opened', stepId: 'stp_2', withinHours: 1 }, false],
    [{ did: 'clicked', url: 'https://example.com/prices?x=1' }, true],
    [{ did: 'clicked', url: 'https://example.com/prices' }, false],
    [{ did: 'clicked', url: 'https://example.com/*' }, true],
    [{ did: 'clicked', url: '*' }, true],
    [{ did: 'replied' }, false],
    [{ did: 'meeting_booked', withinHours: 5 }, true],
    [{ did: 'meeting_booked', withinHours: 4 }, false],
    [{ interest: ['won', 'interested'] }, true],
    [{ interest: [null] }, false],
    [{ intent: ['question'] }, true],
    [{ intent: ['decline'] }, false],
    [{ field: 'company', is: 'equals', value: 'acme' }, true],
    [{ field: 'company', is: 'not_equals', value: 'Acme' }, false],
    [{ field: 'company', is: 'contains', value: 'CM' }, true],
    [{ field: 'company', is: 'starts_with', value: 'ac' }, true],
    [{ field: 'customVariables.plan', is: 'in', value: ['basic', 'PRO '] }, true],
    [{ field: 'customVariables.seats', is: 'gt', value: 11 }, true],
    [{ field: 'customVariables.seats', is: 'lt', value: 12 }, false],
    [{ field: 'customVariables.plan', is: 'gt', value: 1 }, false],
    [{ field: 'company', is: 'exists' }, true],
    // Only these two hold for a missing value.
    [{ field: 'country', is: 'missing' }, true],
    [{ field: 'country', is: 'not_equals', value: 'DE' }, true],
    [{ field: 'country', is: 'equals', value: '' }, false],
    [{ field: 'country', is: 'contains', value: '' }, false],
    [{ field: 'customVariables.none', is: 'exists' }, false],
    [{ signal: 'crm.demo' }, true],
    [{ signal: 'crm.demo', withinDays: 7 }, false],
    [{ signal: 'crm.demo', withinDays: 8 }, true],
    [{ signal: 'crm.other' }, false],
    [{ not: { did: 'replied' } }, true],
    [{ all: [{ did: 'opened' }, { not: { did: 'clicked' } }] }, false],
    [{ any: [{ did: 'replied' }, { all: [{ did: 'opened' }, { did: 'clicked' }] }] }, true],
  ])('%j: %s', (when, expected) => {
    expect(holds(when)).toBe(expected)
  })

  test('with a chance gives a lead and a step always the same result', () => {
    const drawn = Array.from({ length: 2000 }, (_, index) => ({ ...ada, leadId: `led_${index}` }))
    const taken = (chance: number) => drawn.filter((facts) => holds({ chance }, facts)).map(({ leadId }) => leadId)
    expect(taken(30).length / 2000).toBeGreaterThan(0.26)
    expect(taken(30).length / 2000).toBeLessThan(0.34)
    const half = new Set(taken(50))
    expect(taken(30).every((id) => half.has(id))).toBe(true)
  })

  test('and its negation always have opposite results', () => {
    const leaf = fc.constantFrom<Condition>(
      { did: 'opened' },
      { did: 'replied' },
      { interest: [null] },
      { field: 'country', is: 'missing' },
      { chance: 40 },
    )
    const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
        tie('tree').map((not) => ({ not })),
      ),
    }))
    fc.assert(
      fc.property(tree, (when) => {
        expect(holds({ not: when })).toBe(!holds(when))
        expect(holds({ all: [when, { not: when }] })).toBe(false)
        expect(holds({ any: [when, { not: when }] })).toBe(true)
        expect(judge(when, ada, { stepId: 'stp_3', now }).detail).not.toBe('')
      }),
    )
  })
})
