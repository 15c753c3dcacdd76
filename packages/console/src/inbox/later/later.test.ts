import { describe, expect, test } from 'vitest'
import { typedMoment } from '../../platform/time/days.ts'
import { laterChoices } from './later.ts'

const choicesAt = (now: string, zone: string) => laterChoices(now, zone).map(({ name, at }) => `${name} ${at}`)

describe('later', () => {
  test('offers later today, tomorrow and next Monday in the zone of the account', () => {
    // A Monday.
    expect(choicesAt('2026-03-02T08:07:00.000Z', 'Europe/Berlin')).toEqual([
      'today 2026-03-02T11:15:00.000Z',
      'tomorrow 2026-03-03T08:00:00.000Z',
      'nextWeek 2026-03-09T08:00:00.000Z',
    ])
    // A Sunday in Tokyo, where it is Monday already.
    expect(choicesAt('2026-03-01T20:00:00.000Z', 'Asia/Tokyo').at(-1)).toBe('nextWeek 2026-03-09T00:00:00.000Z')
    expect(choicesAt('2026-03-01T10:00:00.000Z', 'UTC').at(-1)).toBe('nextWeek 2026-03-02T09:00:00.000Z')
  })

  test('offers nothing today when the day is almost over', () => {
    expect(choicesAt('2026-03-02T21:00:00.000Z', 'UTC')[0]).toBe('tomorrow 2026-03-03T09:00:00.000Z')
  })

  test('keeps nine o’clock on the day when clocks change', () => {
    expect(choicesAt('2026-03-28T10:00:00.000Z', 'Europe/Berlin')[1]).toBe('tomorrow 2026-03-29T07:00:00.000Z')
  })

  test('reads a typed time in the zone of the account, and nothing from half of one', () => {
    expect(typedMoment('2026-07-01T09:30', 'Europe/Berlin')).toBe('2026-07-01T07:30:00.000Z')
    for (const typed of ['', '2026-07-01', '2026-07-01T', 'T09:30']) expect(typedMoment(typed, 'UTC')).toBeNull()
  })
})
