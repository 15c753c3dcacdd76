import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterNames, groupsMax } from '@overture/contract/analytics/analytics.ts'
import type { GroupDimension } from '@overture/contract/analytics/grouped-query.ts'
import { buildGroups, type GroupLine } from './groups.ts'
import { noCounts } from './measures.ts'

const counts = fc.record({ sent: fc.nat(500), bounced: fc.nat(50), uniqueReplied: fc.nat(50), leads: fc.nat(50) })
const names = counterNames.filter((name) => name !== 'delivered')

test('groups and the rest add up to the totals', () => {
  const lines = fc.array(counts, { maxLength: 40 }).map((all): GroupLine[] =>
    all.map((one, index) => ({
      ...noCounts,
      ...one,
      place: index < 30 ? index + 1 : groupsMax + 1,
      firstKey: index < 30 ? `cmp_${index}` : null,
      secondKey: null,
    })),
  )
  fc.assert(
    fc.property(lines, (all) => {
      const { groups, other, totals } = buildGroups(all, ['campaign'])
      expect(groups).toHaveLength(Math.min(all.length, 30))
      for (const name of names) expect(groups.reduce((sum, group) => sum + group[name], other[name])).toBe(totals[name])
    }),
  )
})

test('every hour of the week appears once, in order, with or without data', () => {
  const line = { ...noCounts, sent: 3, place: 1, firstKey: 'sun', secondKey: '23' }
  const { groups } = buildGroups([line], ['weekday', 'hour'])
  expect(groups).toHaveLength(168)
  expect(new Set(groups.map(({ key }) => key.join())).size).toBe(168)
  expect([groups[0]!.key, groups[167]!.key, groups[167]!.sent]).toEqual([['mon', '00'], ['sun', '23'], 3])
  expect(buildGroups([], ['hour']).groups.map(({ key }) => key[0])).toEqual(
    groups.slice(0, 24).map(({ key }) => key[1]),
  )
})

test('days are in order, and senders by size', () => {
  const line = (place: number, firstKey: string | null, sent: number) => ({
    ...noCounts,
    sent,
    place,
    firstKey,
    secondKey: null,
  })
  const lines = [line(1, '2026-03-30', 9), line(2, '2026-03-28', 5), line(3, '2026-03-29', 1)]
  const keysBy = (dimension: GroupDimension) => buildGroups(lines, [dimension]).groups.map(({ key }) => key[0])
  expect(keysBy('day')).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  expect(keysBy('sender')).toEqual(['2026-03-30', '2026-03-28', '2026-03-29'])
})
