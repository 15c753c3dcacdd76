import type { Report } from '@overture/sdk'
import { expect, test } from 'vitest'
import { toFields, toInput } from './report-fields.ts'

const report: Report = {
  id: 'rep_1',
  name: 'Campaigns of the week',
  active: true,
  query: { groupBy: 'campaign,week', campaignId: 'cmp_1', sendingAccountId: 'snd_1', tagId: 'tag_1' },
  every: 'month',
  on: 15,
  at: '07:30',
  timezone: 'Europe/Berlin',
  recipients: ['usr_1'],
  nextRunAt: null,
  lastRun: null,
  createdAt: '2026-10-29T12:00:00.000Z',
}
const { name, every, on, at, timezone, recipients } = report

test.each([
  ['filters', report.query],
  ['days', { groupBy: 'day', from: '2026-03-01', to: '2026-03-31' }],
  ['moments and a zone', { groupBy: 'day', from: '2026-03-01T05:00:00Z', to: '2026-03-31', timezone: 'UTC' }],
])('a report whose query has %s is sent back unchanged', (_what, query) => {
  const given = { ...report, query }
  expect(toInput(toFields(given, 'UTC'), given)).toEqual({ name, query, every, on, at, timezone, recipients })
})

test('a new report counts by campaign every Monday, in the zone of the account', () => {
  const input = toInput({ ...toFields(null, 'Asia/Kathmandu'), name: 'New' }, null)
  expect(input).toEqual({
    name: 'New',
    query: { groupBy: 'campaign' },
    every: 'week',
    on: 1,
    at: '08:00',
    timezone: 'Asia/Kathmandu',
    recipients: [],
  })
})

test('a daily report has no day, and moments are dropped by the choice of the days since the report before', () => {
  const given = { ...report, query: { groupBy: 'day', from: '2026-03-01T05:00:00Z', to: '2026-03-31T05:00:00Z' } }
  const fields = toFields(given, 'UTC')
  expect(fields.days).toBe('kept')
  expect(toInput({ ...fields, every: 'day', days: 'since' }, given)).toMatchObject({
    query: { groupBy: 'day' },
    on: null,
  })
  expect(toInput({ ...fields, days: 'since' }, given).query).toEqual({ groupBy: 'day' })
})
