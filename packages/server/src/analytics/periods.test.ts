import { describe, expect, test } from 'vitest'
import { parseRangeBound, splitIntoPeriods } from './periods.ts'

const hours = (period: { startAt: Date; endAt: Date }): number =>
  (period.endAt.getTime() - period.startAt.getTime()) / 3_600_000

function periods(from: string, to: string, options: { interval: 'day' | 'week' | 'month'; timezone: string }) {
  const { timezone } = options
  return splitIntoPeriods({
    from: parseRangeBound(from, timezone, 'from'),
    to: parseRangeBound(to, timezone, 'to'),
    ...options,
  })
}

describe('periods of a time zone', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/New_York', '2026-03-08', 23],
    ['America/Sao_Paulo', '2026-03-08', 24],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Kathmandu', '2026-03-29', 24],
  ])('a day in %s on %s has %d hours', (timezone, date, length) => {
    const [day, ...rest] = periods(date, date, { interval: 'day', timezone })
    expect(rest).toEqual([])
    expect(day?.date).toBe(date)
    expect(hours(day!)).toBe(length)
  })

  test('have no gap or overlap around clock changes', () => {
    for (const interval of ['day', 'week', 'month'] as const) {
      const series = periods('2026-01-05', '2026-12-31', { interval, timezone: 'Europe/Berlin' })
      for (const [index, period] of series.entries()) {
        if (index > 0) expect(period.startAt).toEqual(series[index - 1]!.endAt)
      }
    }
  })

  test('weeks begin on Monday, and the first one is cut to the range', () => {
    const weeks = periods('2026-03-25', '2026-04-05', { interval: 'week', timezone: 'Europe/Berlin' })
    expect(weeks.map((week) => week.date)).toEqual(['2026-03-23', '2026-03-30'])
    expect(weeks[0]!.startAt.toISOString()).toBe('2026-03-24T23:00:00.000Z')
    expect(hours(weeks[0]!)).toBe(5 * 24 - 1)
  })

  test('months have their real length', () => {
    const months = periods('2026-02-01', '2026-03-31', { interval: 'month', timezone: 'America/New_York' })
    expect(months.map((month) => [month.date, hours(month)])).toEqual([
      ['2026-02-01', 28 * 24],
      ['2026-03-01', 31 * 24 - 1],
    ])
  })

  test('an empty range, or one of too many periods, is refused', () => {
    const range = { interval: 'day', timezone: 'UTC' } as const
    expect(() => periods('2026-02-02', '2026-02-01', range)).toThrow('`from` must be before `to`')
    expect(() => periods('2020-01-01', '2026-01-01', range)).toThrow('more than 800 periods')
  })
})
