import type { ScheduleWindow } from '@overture/sdk'
import { expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'
import { firstOverlap } from './overlaps.ts'
import { matchZone } from '../../platform/time/zones.ts'

test.each([
  ['9', '09:00'],
  ['17.30', '17:30'],
  ['5 pm', '17:00'],
  ['5:15 p.m', '17:15'],
  ['12 am', '00:00'],
  ['9h', '09:00'],
  ['24', '24:00'],
  ['09:00', '09:00'],
  ['25:00', '25:00'],
  ['13 pm', '13 pm'],
  ['soon', 'soon'],
  ['', ''],
])('“%s” is read as the time “%s”', (typed, time) => {
  expect(clockTime(typed)).toBe(time)
})

const mornings: ScheduleWindow = { days: ['mon', 'tue'], from: '09:00', to: '12:00' }

test('two windows overlap if they share a day and a time', () => {
  expect(firstOverlap([mornings, mornings])).toEqual({ windows: [0, 1], day: 'mon' })
  expect(firstOverlap([mornings, { days: ['tue'], from: '11:59', to: '13:00' }])).toEqual({
    windows: [0, 1],
    day: 'tue',
  })
  expect(firstOverlap([mornings, { ...mornings, from: '12:00', to: '13:00' }])).toBeNull()
  expect(firstOverlap([mornings, { ...mornings, days: ['wed'] }])).toBeNull()
})

test('a zone is found by its name in any case and by its city', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York']
  expect(matchZone('europe/berlin', zones)).toBe('Europe/Berlin')
  expect(matchZone('new york', zones)).toBe('America/New_York')
  expect(matchZone('Mars/Olympus', zones)).toBe('Mars/Olympus')
  expect(matchZone('', zones)).toBe('')
})
