import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseDayNumber } from '@overture/ground/time/time-zone.ts'
import { holidayData, loadCalendars } from './calendars.shell.ts'

const calendars = await loadCalendars()
const datesOf = (calendar: string, year: number) =>
  new Map(calendars.listHolidays(calendar, year).map(({ date, name }) => [date, name]))

describe('calendars of holidays', () => {
  test('report the version of the installed package', () => {
    const path = join(import.meta.dirname, '../../../../node_modules/date-holidays/package.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      name: holidayData.name,
      version: holidayData.version,
      license: `(${holidayData.license})`,
    })
  })

  test('exist for countries and their regions alone', () => {
    expect(['DE', 'FR', 'US', 'DE-BY', 'GB-SCT', 'FR-57'].filter((one) => !calendars.exists(one))).toEqual([])
    expect(['ZZ', 'de', 'DE-XX', 'DE-', 'lead', '', 'DE-BY-A', 'DE-toString'].filter(calendars.exists)).toEqual([])
  })

  test('know 3 October in Germany and not in France', () => {
    expect(datesOf('DE', 2026).get('2026-10-03')).toBe('National Holiday')
    expect(datesOf('DE-BE', 2026).get('2026-10-03')).toBe('National Holiday')
    expect(datesOf('FR', 2026).has('2026-10-03')).toBe(false)
  })

  test('contain the holidays of a region only with its calendar', () => {
    expect(datesOf('DE-BY', 2027).get('2027-01-06')).toBe('Epiphany')
    expect(datesOf('DE', 2027).has('2027-01-06')).toBe(false)
    for (const date of datesOf('DE', 2027).keys()) expect(datesOf('DE-BY', 2027).has(date)).toBe(true)
  })

  test('contain public holidays of a whole day alone', () => {
    expect(datesOf('IS', 2026).has('2026-12-24')).toBe(false)
    expect(datesOf('DE', 2026).has('2026-12-24')).toBe(false)
    expect(datesOf('DE', 2026).has('2026-12-25')).toBe(true)
  })

  test('list a holiday of several days by day, also into the next year', () => {
    const eid = [...datesOf('AE', 2026)].filter(([, name]) => name === 'End of Ramadan (Eid al-Fitr)')
    expect(eid.map(([date]) => date)).toEqual(['2026-03-20', '2026-03-21', '2026-03-22'])
    expect(datesOf('SZ', 2026).get('2026-12-31')).toBe('Incwala Festival')
    expect(datesOf('SZ', 2027).get('2027-01-02')).toBe('Incwala Festival')
  })

  test('name the holiday of a day, and none for an unknown calendar', () => {
    expect(calendars.nameOn('FR', parseDayNumber('2027-07-14'))).toBe('Bastille Day')
    expect(calendars.nameOn('FR', parseDayNumber('2027-07-15'))).toBeNull()
    expect(calendars.nameOn('ZZ', parseDayNumber('2027-07-14'))).toBeNull()
  })

  test('offer every country with its regions by name', () => {
    const countries = calendars.countries()
    expect(countries.length).toBeGreaterThan(200)
    expect(
      countries.every(({ calendar, regions }) =>
        [calendar, ...regions.map((one) => one.calendar)].every(calendars.exists),
      ),
    ).toBe(true)
    expect(countries.find(({ calendar }) => calendar === 'DE')?.regions).toContainEqual({
      calendar: 'DE-BY',
      name: 'Bayern',
    })
  })
})
