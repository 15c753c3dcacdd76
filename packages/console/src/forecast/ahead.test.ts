import { expect, test } from 'vitest'
import { campaignsAhead, daysAhead } from './ahead.ts'

const day = (date: string, senders: [number, number][], campaigns: Record<string, number>) => ({
  date,
  bySender: senders.map(([count, capacity], at) => ({ sendingAccountId: `snd_${at}`, count, capacity })),
  byCampaign: Object.entries(campaigns).map(([campaignId, count]) => ({ campaignId, count })),
})
const days = [
  day(
    '2026-11-23',
    [
      [30, 50],
      [10, 20],
    ],
    { cmp_a: 10, cmp_b: 30, cmp_c: 0 },
  ),
  day(
    '2026-11-24',
    [
      [0, 50],
      [0, 20],
    ],
    { cmp_a: 0, cmp_b: 0, cmp_c: 0 },
  ),
  day(
    '2026-11-25',
    [
      [25, 60],
      [0, 20],
    ],
    { cmp_a: 25, cmp_b: 0, cmp_c: 0 },
  ),
]

test('each day has the planned messages and the capacity', () => {
  expect(daysAhead({ days })).toEqual([
    { date: '2026-11-23', planned: 40, capacity: 70 },
    { date: '2026-11-24', planned: 0, capacity: 70 },
    { date: '2026-11-25', planned: 25, capacity: 80 },
  ])
})

test('each sending campaign has its total and last day', () => {
  expect(campaignsAhead({ days })).toEqual([
    { campaignId: 'cmp_a', planned: 35, until: '2026-11-25' },
    { campaignId: 'cmp_b', planned: 30, until: '2026-11-23' },
  ])
})
