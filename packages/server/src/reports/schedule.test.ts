import { describe, expect, test } from 'vitest'
import { allowsOn, coveredDays, lastDueAt, nextDueAt, type ReportSchedule } from './schedule.ts'

type Row = [schedule: string, after: string, dues: string[]]

/** `week 1 08:00 Europe/Berlin`; a day has no number. */
function read(text: string): ReportSchedule {
  const [every, ...rest] = text.split(' ')
  const [timezone = '', at = '', on = null] = rest.toReversed()
  return { every: every as ReportSchedule['every'], on: on === null ? null : Number(on), at, timezone }
}

const rows: Row[] = [
  // A usual day, and one minute before it.
  ['day 08:00 UTC', '2026-11-02T08:00:00.000Z', ['2026-11-03T08:00:00.000Z']],
  ['day 08:00 UTC', '2026-11-02T07:59:59.999Z', ['2026-11-02T08:00:00.000Z']],
  // The clocks of Berlin skip 02:00 to 03:00 on 28 March 2027, and show it twice on 31 October 2027.
  [
    'day 02:30 Europe/Berlin',
    '2027-03-26T12:00:00.000Z',
    ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
  ],
  [
    'day 02:30 Europe/Berlin',
    '2027-10-29T12:00:00.000Z',
    ['2027-10-30T00:30:00.000Z', '2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
  ],
  ['day 08:00 Europe/Berlin', '2027-03-27T12:00:00.000Z', ['2027-03-28T06:00:00.000Z', '2027-03-29T06:00:00.000Z']],
  // The clocks of New York skip 02:00 to 03:00 on 14 March 2027, and show 01:00 to 02:00 twice on 7 November 2027.
  ['day 02:30 America/New_York', '2027-03-13T12:00:00.000Z', ['2027-03-14T07:30:00.000Z', '2027-03-15T06:30:00.000Z']],
  ['day 01:30 America/New_York', '2027-11-06T12:00:00.000Z', ['2027-11-07T05:30:00.000Z', '2027-11-08T06:30:00.000Z']],
  [
    'week 7 01:30 America/New_York',
    '2027-11-07T05:29:00.000Z',
    ['2027-11-07T05:30:00.000Z', '2027-11-14T06:30:00.000Z'],
  ],
  // Asked between the two showings of 01:30, the day is over.
  ['day 01:30 America/New_York', '2027-11-07T05:45:00.000Z', ['2027-11-08T06:30:00.000Z']],
  // Monday is 1 and Sunday 7. 2 November 2026 is a Monday.
  ['week 1 08:00 Europe/Berlin', '2026-11-02T07:00:00.000Z', ['2026-11-09T07:00:00.000Z']],
  ['week 7 23:59 UTC', '2026-11-02T00:00:00.000Z', ['2026-11-08T23:59:00.000Z', '2026-11-15T23:59:00.000Z']],
  ['week 3 00:00 UTC', '2026-12-30T00:00:00.000Z', ['2027-01-06T00:00:00.000Z']],
  // A shorter month has its last day, in leap years too.
  [
    'month 31 09:00 UTC',
    '2027-01-31T09:00:00.000Z',
    ['2027-02-28T09:00:00.000Z', '2027-03-31T09:00:00.000Z', '2027-04-30T09:00:00.000Z'],
  ],
  ['month 30 09:00 UTC', '2028-01-30T09:00:00.000Z', ['2028-02-29T09:00:00.000Z', '2028-03-30T09:00:00.000Z']],
  ['month 29 09:00 UTC', '2027-02-01T00:00:00.000Z', ['2027-02-28T09:00:00.000Z', '2027-03-29T09:00:00.000Z']],
  ['month 1 00:00 Europe/Berlin', '2026-12-01T12:00:00.000Z', ['2026-12-31T23:00:00.000Z', '2027-01-31T23:00:00.000Z']],
  // Zones whose day is far from that of UTC.
  [
    'day 00:30 Pacific/Kiritimati',
    '2026-11-02T10:29:00.000Z',
    ['2026-11-02T10:30:00.000Z', '2026-11-03T10:30:00.000Z'],
  ],
  ['week 1 08:00 Pacific/Kiritimati', '2026-11-01T00:00:00.000Z', ['2026-11-01T18:00:00.000Z']],
  ['month 1 08:00 Pacific/Kiritimati', '2026-10-31T17:00:00.000Z', ['2026-10-31T18:00:00.000Z']],
  ['day 23:30 Pacific/Pago_Pago', '2026-11-03T10:29:00.000Z', ['2026-11-03T10:30:00.000Z', '2026-11-04T10:30:00.000Z']],
  [
    'month 31 23:30 Pacific/Pago_Pago',
    '2026-11-01T10:30:00.000Z',
    ['2026-12-01T10:30:00.000Z', '2027-01-01T10:30:00.000Z'],
  ],
]

describe('the next due time', () => {
  test.each(rows)('of %s after %s', (text, after, dues) => {
    const schedule = read(text)
    let at = new Date(after)
    for (const due of dues) {
      at = nextDueAt(schedule, at)
      expect(at.toISOString()).toBe(due)
    }
  })

  test('is the last due time from then on, until the one after it', () => {
    for (const [text, after, dues] of rows) {
      const schedule = read(text)
      const first = nextDueAt(schedule, new Date(after))
      const second = nextDueAt(schedule, first)
      expect(lastDueAt(schedule, first).toISOString()).toBe(dues[0])
      expect(lastDueAt(schedule, new Date(second.getTime() - 1))).toEqual(first)
      expect(lastDueAt(schedule, new Date(first.getTime() - 1)).getTime()).toBeLessThanOrEqual(Date.parse(after))
    }
  })

  test('comes once for each day, week and month of ten years', () => {
    const end = Date.parse('2037-01-01T00:00:00.000Z')
    for (const [text, count] of [
      ['day 02:30 Europe/Berlin', 3653],
      ['week 7 02:30 America/New_York', 522],
      ['month 31 23:30 Pacific/Pago_Pago', 120],
    ] as const) {
      const schedule = read(text)
      let runs = 0
      for (let at = new Date('2027-01-01T12:00:00.000Z'); ; runs++) {
        at = nextDueAt(schedule, at)
        if (at.getTime() >= end + 12 * 3_600_000) break
      }
      expect([text, runs]).toEqual([text, count])
    }
  })
})

test.each([
  ['day 08:00 Europe/Berlin', '2026-11-02T07:00:00.000Z', '2026-11-01', '2026-11-01'],
  ['week 1 08:00 Europe/Berlin', '2026-11-02T07:00:00.000Z', '2026-10-26', '2026-11-01'],
  ['week 1 08:00 Europe/Berlin', '2026-11-04T07:00:00.000Z', '2026-10-28', '2026-11-03'],
  ['month 1 08:00 UTC', '2026-12-01T08:00:00.000Z', '2026-11-01', '2026-11-30'],
  ['month 31 08:00 UTC', '2027-02-28T08:00:00.000Z', '2027-01-31', '2027-02-27'],
  ['month 31 08:00 UTC', '2027-03-31T08:00:00.000Z', '2027-02-28', '2027-03-30'],
  ['month 31 08:00 UTC', '2027-03-30T08:00:00.000Z', '2027-02-28', '2027-03-29'],
  ['month 15 08:00 UTC', '2027-01-03T08:00:00.000Z', '2026-12-03', '2027-01-02'],
  ['day 00:30 Pacific/Kiritimati', '2026-11-02T10:30:00.000Z', '2026-11-02', '2026-11-02'],
  ['day 23:30 Pacific/Pago_Pago', '2026-11-03T10:30:00.000Z', '2026-11-01', '2026-11-01'],
])('%s at %s covers %s to %s', (text, at, from, to) => {
  expect(coveredDays(read(text), new Date(at))).toEqual({ from, to })
})

test.each([
  ['day', null, true],
  ['day', 1, false],
  ['week', 7, true],
  ['week', 8, false],
  ['week', null, false],
  ['month', 31, true],
  ['month', null, false],
] as const)('%s on %s is allowed: %s', (every, on, allowed) => {
  expect(allowsOn(every, on)).toBe(allowed)
})
