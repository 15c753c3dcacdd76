import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCalendar } from './calendar.ts'
import { namedZone } from './zone-names.ts'

const read = (event: readonly string[], zone: readonly string[] = []) => {
  const lines = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', ...zone, 'BEGIN:VEVENT', 'UID:1@a.test', ...event, 'END:VEVENT']
  const found = readCalendar([{ contentType: 'text/calendar', text: [...lines, 'END:VCALENDAR'].join('\r\n') }])
  return found === null ? null : { ...found, start: found.startAt.toISOString().slice(0, 16) }
}
const rules = (tzid: string, standard: readonly string[], daylight: readonly string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  ...standard,
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  ...daylight,
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]
const yearly = [
  ['DTSTART:16011028T030000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'],
  ['DTSTART:16010325T020000', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
] as const

describe("a zone that the calendar doesn't define", () => {
  test.each([
    ['W. Europe Standard Time', '2028-06-05T07:00', 'Europe/Berlin'],
    ['"Eastern Standard Time"', '2028-06-05T13:00', 'America/New_York'],
    ['GMT Standard Time', '2028-06-05T08:00', 'Europe/London'],
    ['tokyo standard time', '2028-06-05T00:00', 'Asia/Tokyo'],
    ['India Standard Time', '2028-06-05T03:30', 'Asia/Calcutta'],
    ['"(UTC+01:00) Brussels, Copenhagen, Madrid, Paris"', '2028-06-05T07:00', 'Europe/Brussels'],
    ['"(UTC-06:00) Central Time (US & Canada)"', '2028-06-05T14:00', 'America/Chicago'],
    ['"(UTC+09:00) Osaka, Sapporo, Tokyo"', '2028-06-05T00:00', 'Asia/Tokyo'],
    ['UTC+2', '2028-06-05T07:00', 'UTC'],
    ['GMT-0330', '2028-06-05T12:30', 'UTC'],
    ['"GMT+05:30"', '2028-06-05T03:30', 'UTC'],
    ['Europe/Vienna ', '2028-06-05T07:00', 'Europe/Vienna'],
    ['tzone://Microsoft/Utc', '2028-06-05T09:00', 'UTC'],
  ])('%s is recognised by its name', (tzid, start, timezone) => {
    const found = read([`DTSTART;TZID=${tzid}:20280605T090000`])
    expect(found).toMatchObject({ start, timezone })
    expect(found?.timeUnknown).toBeUndefined()
  })

  test.each([
    'Customized Time Zone',
    '"(UTC+01:00) Nowhere"',
    '"(UTC+03:00) Berlin"',
    'tzone://Microsoft/Custom',
    'UTC+25',
  ])('%s is unknown, and the time is marked as unknown', (tzid) =>
    expect(read([`DTSTART;TZID=${tzid}:20280605T090000`])).toMatchObject({ timeUnknown: true }),
  )

  test('a time without a zone is unknown; a UTC time and a whole day are known', () => {
    expect(read(['DTSTART:20280605T090000'])).toMatchObject({ timeUnknown: true })
    expect(read(['DTSTART:20280605T090000Z'])?.timeUnknown).toBeUndefined()
    expect(read(['DTSTART;VALUE=DATE:20280605'])?.timeUnknown).toBeUndefined()
    expect(read(['DTSTART;TZID=Nowhere:20280605T090000Z'])?.timeUnknown).toBeUndefined()
  })

  test('no zone name throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (name) => {
        expect(() => namedZone(name)).not.toThrow()
      }),
    )
  })
})

describe('a zone with rules in the calendar', () => {
  test.each([
    ['(UTC+01:00) Rome\\, Vienna', 'TZID="(UTC+01:00) Rome, Vienna"'],
    ['(UTC+01:00) Rome\\, Vienna', 'TZID=(UTC+01:00) Rome, Vienna'],
    ['(UTC+01:00) Rome\\, Vienna', 'VALUE=DATE-TIME;TZID=(UTC+01:00) Rome\\, Vienna'],
    ['GMT+01:00', 'TZID=GMT+01:00'],
    ['Office: main', 'TZID=Office: main;VALUE=DATE-TIME'],
    ['My zone', 'TZID=My zone'],
  ])('the zone %s is found for %s', (tzid, parameters) => {
    expect(read([`DTSTART;${parameters}:20280605T090000`], rules(tzid, ...yearly))).toMatchObject({
      start: '2028-06-05T07:00',
    })
  })

  const [standard, daylight] = [['DTSTART:20261025T030000'], ['DTSTART:20260329T020000']]
  test.each([
    ['20280605T090000', '2028-06-05T07:00'],
    ['20280105T090000', '2028-01-05T08:00'],
    ['20271130T090000', '2027-11-30T08:00'],
    ['20270605T090000', '2027-06-05T07:00'],
  ])('RDATEs repeat the clock changes: %s', (local, start) => {
    const zone = rules(
      'My zone',
      [...standard, 'RDATE:20271031T030000,20281029T030000'],
      [...daylight, 'RDATE:20270328T020000', 'RDATE:20280326T020000'],
    )
    expect(read([`DTSTART;TZID=My zone:${local}`], zone)).toMatchObject({ start })
  })

  test('RDATEs that are periods, or more than 300, make the time unknown', () => {
    for (const extra of [['RDATE;VALUE=PERIOD:20270328T020000/PT1H'], Array<string>(300).fill('RDATE:20270328T020000')])
      expect(
        read(['DTSTART;TZID=My zone:20280605T090000'], rules('My zone', standard, [...daylight, ...extra])),
      ).toMatchObject({ timeUnknown: true })
  })
})

test.each([
  [['DTSTART;VALUE=DATE:20280605'], '2028-06-06T00:00'],
  [['DTSTART:20280605'], '2028-06-06T00:00'],
  [['DTSTART;TZID=Europe/Berlin:20280605', 'DTEND:20280607'], '2028-06-07T00:00'],
  [['DTSTART;VALUE=DATE-TIME:20280605'], '2028-06-06T00:00'],
  [['DTSTART;VALUE=DATE:20281231'], '2029-01-01T00:00'],
  [['DTSTART;VALUE=DATE:20280605', 'DTEND;VALUE=DATE:20280605'], '2028-06-06T00:00'],
  [['DTSTART;VALUE=DATE:20280605', 'DURATION:P3D'], '2028-06-08T00:00'],
  [['DTSTART;VALUE=DATE:20280605', 'DTEND;VALUE=DATE:20280607'], '2028-06-07T00:00'],
])('a whole-day event without a length lasts one day: %j', (lines, end) => {
  expect(read(lines)?.endAt.toISOString().slice(0, 16)).toBe(end)
})
