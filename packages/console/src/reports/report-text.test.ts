import type { Report, ReportRun } from '@overture/sdk'
import { describe, expect, test } from 'vitest'
import { daysText, type Names, rangeText, runText, whatText, whenText } from './report-text.ts'

const names: Names = {
  campaign: (id) => (id === 'cmp_1' ? 'Spring' : 'unknown'),
  sender: (id) => (id === 'snd_1' ? 'ada@sender.test' : 'unknown'),
  tag: (id) => (id === 'tag_1' ? 'Fair' : 'unknown'),
  user: (id) => (id === 'usr_1' ? 'Ada' : 'Bob'),
}

test.each([
  [{ groupBy: 'weekday' }, 'By day of the week'],
  [{ groupBy: 'campaign,week' }, 'By campaign and week'],
  [{ groupBy: 'step', campaignId: 'cmp_1' }, 'By step, only of the campaign “Spring”'],
  [{ groupBy: 'day', tagId: 'tag_1' }, 'By day, only of campaigns and senders with the tag “Fair”'],
  [
    { groupBy: 'day', campaignId: 'cmp_1', sendingAccountId: 'snd_1' },
    'By day, only of the campaign “Spring”, only of the sender ada@sender.test',
  ],
])('the query %j is described as %s', (query, words) => expect(whatText(query, names)).toBe(words))

const schedule = { at: '08:00', timezone: 'Europe/Berlin' }
test.each([
  [{ every: 'day', on: null }, 'Every day at 08:00, Europe/Berlin'],
  [{ every: 'week', on: 1 }, 'Every Monday at 08:00, Europe/Berlin'],
  [{ every: 'week', on: 7 }, 'Every Sunday at 08:00, Europe/Berlin'],
  [{ every: 'month', on: 1 }, 'Every month on the 1st at 08:00, Europe/Berlin'],
  [{ every: 'month', on: 12 }, 'Every month on the 12th at 08:00, Europe/Berlin'],
  [{ every: 'month', on: 22 }, 'Every month on the 22nd at 08:00, Europe/Berlin'],
  [{ every: 'month', on: 28 }, 'Every month on the 28th at 08:00, Europe/Berlin'],
  [{ every: 'month', on: 31 }, 'Every month on the 31st or the last day at 08:00, Europe/Berlin'],
] as const)('the schedule %j is described as %s', (given, words) =>
  expect(whenText({ ...schedule, ...given })).toBe(words),
)

describe('the days of the numbers', () => {
  const days = (query: Partial<Report['query']>) =>
    daysText({ query: { groupBy: 'day', ...query }, timezone: 'Europe/Berlin' })

  test('are those since the report before, in the zone of the query if it is another one', () => {
    expect(days({})).toBe('The whole days since the report before')
    expect(days({ timezone: 'Europe/Berlin' })).toBe('The whole days since the report before')
    expect(days({ timezone: 'UTC' })).toBe('The whole days since the report before, in UTC')
  })

  test('are named if they are always the same', () => {
    expect(days({ from: '2026-03-01', to: '2026-03-31' })).toMatch(/^Always 1\s?–\s?31 Mar 2026$/)
    expect(days({ from: '2026-03-01T05:00:00Z', to: '2026-03-31', timezone: 'UTC' })).toContain('in UTC')
  })

  test('are moments in the zone if a bound is a moment', () => {
    const text = rangeText('2026-03-01T05:00:00Z', '2026-03-31', 'Asia/Kathmandu')
    expect(text).toContain('10:45')
    expect(text).toMatch(/to 31 Mar 2026$/)
  })
})

describe('the last run', () => {
  const run = (part: Partial<ReportRun>, recipients = ['usr_1', 'usr_2']) =>
    runText(
      {
        recipients,
        lastRun: {
          at: '2026-11-02T07:00:00.000Z',
          status: 'sent',
          from: '2026-10-26',
          to: '2026-11-01',
          deliveredTo: [],
          skipped: [],
          error: null,
          ...part,
        },
      },
      names,
    )

  test('names who got the report, and who was skipped and why', () => {
    expect(run({ deliveredTo: ['usr_1', 'usr_2'] })).toBe('Sent to Ada, Bob.')
    expect(run({ deliveredTo: ['usr_1'], skipped: [{ userId: 'usr_2', reason: 'disabled' }] })).toBe(
      'Sent to Ada. Bob was skipped: the user is disabled.',
    )
    expect(run({})).toBe('Sent to users who were removed.')
  })

  test('counts the recipients that are done while it is running', () => {
    const skipped = [{ userId: 'usr_2', reason: 'mail_uncertain' as const }]
    expect(run({ status: 'running', deliveredTo: ['usr_1'] })).toMatch(/^1 of 2 recipients are done\./)
    expect(run({ status: 'running', deliveredTo: ['usr_1'], skipped })).toMatch(/^2 of 2 recipients are done\./)
    expect(run({ status: 'running' }, [])).toBe('The report is being written.')
  })

  test('has the reason of a failure, says that an event was written, or that there was none yet', () => {
    expect(run({ status: 'failed', error: 'The campaign was deleted.' })).toBe(
      'The report failed. The campaign was deleted.',
    )
    expect(run({ status: 'announced' })).toBe('The report appeared as an event.')
    expect(runText({ recipients: [], lastRun: null }, names)).toBe('Has not run yet.')
  })
})
