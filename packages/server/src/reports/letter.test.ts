import type { Stats } from '@overture/contract/analytics/analytics.ts'
import { counterNames } from '@overture/contract/vocabularies.ts'
import { expect, test } from 'vitest'
import { distinctNames, type NamedRow } from './group-names.ts'
import { type ReportFacts, writeReport } from './letter.ts'

const rates = { open: 0, click: 0, reply: 0.041, bounce: 0.01, unsubscribe: 0.01, positiveReply: 0.01 }
const counts = Object.fromEntries(counterNames.map((name) => [name, 12_345])) as Omit<Stats, 'rates' | 'notSent'>
const stats: Stats = { ...counts, notSent: {}, rates }

const campaign = (id: string, name: string, launched: string | null): NamedRow => ({
  id,
  name,
  launchedAt: launched === null ? null : new Date(launched),
  createdAt: new Date('2027-01-04T09:00:00.000Z'),
})

function letterOf(rows: readonly NamedRow[], name = 'Campaigns of the week') {
  const facts: ReportFacts = {
    name,
    range: { from: '2027-02-28', to: '2027-03-27' },
    analytics: {
      groupBy: ['campaign'],
      timezone: 'UTC',
      groups: rows.map(({ id }) => ({ key: [id], replyInterval: null, ...stats })),
      totals: stats,
    },
    names: new Map([['campaign', distinctNames(rows, 'UTC')]]),
    url: 'https://overture.test/app/live/reports/rep_1',
  }
  return writeReport(facts)
}

test('no line of the HTML has more than four numbers, and every number has its title', () => {
  const { html } = letterOf([campaign('cmp_1', 'Spring', null), campaign('cmp_2', 'Summer', null)])
  const lines = html.split(/<tr>/).slice(1)
  expect(Math.max(...lines.map((line) => line.match(/<t[dh]/g)?.length ?? 0))).toBe(4)
  for (const title of ['Sent', 'Delivered', 'Replied', 'Reply rate', 'Interested', 'Meetings', 'Bounced', 'Opted out'])
    expect(html.split(`>${title}</span><br>`)).toHaveLength(4)
})

test('campaigns with the same name are told apart by the day of their start, else by their id', () => {
  const { html, text } = letterOf([
    campaign('cmp_1', 'Spring', '2027-03-01T09:00:00.000Z'),
    campaign('cmp_2', 'Spring', '2027-03-15T09:00:00.000Z'),
    campaign('cmp_3', 'Spring', null),
    campaign('cmp_4', 'Twins', null),
    campaign('cmp_5', 'Twins', null),
    campaign('cmp_6', 'Summer', null),
  ])
  const labels = [
    'Spring (started 1 Mar 2027)',
    'Spring (started 15 Mar 2027)',
    'Spring (created 4 Jan 2027)',
    'Twins (cmp_4)',
    'Twins (cmp_5)',
    'Summer',
  ]
  for (const label of labels) {
    expect(html).toContain(`>${label}</th>`)
    expect(text).toMatch(new RegExp(`^${label.replaceAll(/[()]/g, String.raw`\$&`)} +12,345`, 'm'))
  }
})

test('the day of the start stays visible after a long name', () => {
  const long = 'A very long name of a campaign that is cut after sixty characters, because a mail is narrow'
  const { text } = letterOf([
    campaign('cmp_1', long, '2027-03-01T09:00:00.000Z'),
    campaign('cmp_2', long, '2027-03-15T09:00:00.000Z'),
  ])
  expect(text).toContain('(started 1 Mar 2027)')
  expect(text).toContain('(started 15 Mar 2027)')
})
