import { dayMs } from '@overture/ground/time/spans.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toInstant } from '@overture/ground/time/time-zone.ts'
import { readCalendar } from './calendar.ts'

interface Zone {
  tzid: string
  observances: string[][]
}

const calendar = (zones: Zone[], event: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    ...zones.flatMap(({ tzid, observances }) => [
      'BEGIN:VTIMEZONE',
      `TZID:${tzid}`,
      ...observances.flatMap((lines, at) => {
        const kind = at % 2 === 0 ? 'STANDARD' : 'DAYLIGHT'
        return [`BEGIN:${kind}`, ...lines, `END:${kind}`]
      }),
      'END:VTIMEZONE',
    ]),
    'BEGIN:VEVENT',
    ...event,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')

const read = (text: string) => readCalendar([{ contentType: 'text/calendar', text }])
const stamp = (localMs: number) => new Date(localMs).toISOString().replace(/[-:]/g, '').slice(0, 15)

const list = (from: number, to: number) =>
  fc
    .uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: to - from + 1 })
    .map((all) => all.join())
const days = fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { minLength: 1 })
const part = fc.oneof(
  list(0, 59).map((all) => `BYSECOND=${all}`),
  list(0, 59).map((all) => `BYMINUTE=${all}`),
  list(0, 23).map((all) => `BYHOUR=${all}`),
  list(1, 12).map((all) => `BYMONTH=${all}`),
  list(1, 31).map((all) => `BYMONTHDAY=${all}`),
  list(1, 366).map((all) => `BYYEARDAY=${all}`),
  list(1, 53).map((all) => `BYWEEKNO=${all}`),
  days.map((all) => `BYDAY=${all.join()}`),
  fc.constantFrom('INTERVAL=0', 'INTERVAL=-1', 'COUNT=99999999999', 'UNTIL=99991231T235959Z', 'BYSETPOS=366'),
)
const rule = fc
  .tuple(
    fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'NEVER', ''),
    fc.array(part, { maxLength: 4 }),
  )
  .map(([frequency, parts]) => [`FREQ=${frequency}`, ...parts].join(';'))
const observance = fc
  .tuple(fc.constantFrom('00010101T000000', '16010101T000000', '19700101T000000', '20260301T000000'), rule)
  .map(([start, repeats]) => [`DTSTART:${start}`, 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', `RRULE:${repeats}`])

describe('a calendar from an untrusted sender', () => {
  // Expanding one of these rules would take minutes and all memory.
  test('is read quickly, whatever rules its zones have', () => {
    fc.assert(
      fc.property(
        fc.array(observance, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('X', 'Europe/Berlin'),
        (observances, tzid) => {
          const found = read(calendar([{ tzid, observances }], ['UID:1', `DTSTART;TZID=${tzid}:20260401T100000`]))
          expect(found).not.toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })

  test("its zones don't affect the next calendar", () => {
    const event = ['UID:1', 'DTSTART;TZID=Europe/Berlin:20260401T100000']
    const foreign = [['DTSTART:19700101T000000', 'TZOFFSETFROM:+1100', 'TZOFFSETTO:+1100']]
    const start = () => read(calendar([], event))?.startAt.toISOString()
    expect(read(calendar([{ tzid: 'Europe/Berlin', observances: foreign }], event))?.startAt.toISOString()).toBe(
      '2026-04-01T08:00:00.000Z',
    )
    expect(start()).toBe('2026-04-01T08:00:00.000Z')
    read(calendar([{ tzid: 'Made Up', observances: foreign }], ['UID:1', 'DTSTART;TZID=Made Up:20260401T100000']))
    const unknown = read(calendar([], ['UID:1', 'DTSTART;TZID=Made Up:20260401T100000']))
    expect(unknown?.startAt.toISOString()).toBe('2026-04-01T10:00:00.000Z')
  })

  test.each([
    ['W. Europe Standard Time', 'Europe/Berlin', '+0100', '+0200', ['-1SU', 10, '030000'], ['-1SU', 3, '020000']],
    ['Eastern Standard Time', 'America/New_York', '-0500', '-0400', ['1SU', 11, '020000'], ['2SU', 3, '020000']],
    ['AUS Eastern Standard Time', 'Australia/Sydney', '+1000', '+1100', ['1SU', 4, '030000'], ['1SU', 10, '020000']],
  ] as const)('its own rules for %s give the times of %s', (tzid, iana, standard, summer, autumn, spring) => {
    const lines = (from: string, to: string, [day, month, time]: readonly [string, number, string]) => [
      `DTSTART:16010101T${time}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `RRULE:FREQ=YEARLY;BYDAY=${day};BYMONTH=${month}`,
    ]
    const observances = [lines(summer, standard, autumn), lines(standard, summer, spring)]
    const hours = fc.integer({ min: 0, max: 24 * 365 * 50 })
    fc.assert(
      fc.property(hours, (hour) => {
        const localMs = Date.UTC(2010, 0, 1) + hour * 3_600_000
        const wanted = toInstant(iana, localMs)
        // Around a clock change a local hour occurs twice or not at all.
        fc.pre([-2, 2].every((away) => toInstant(iana, localMs + away * 3_600_000) - wanted === away * 3_600_000))
        const event = ['UID:1', `DTSTART;TZID=${tzid}:${stamp(localMs)}`]
        expect(read(calendar([{ tzid, observances }], event))?.startAt.getTime()).toBe(wanted)
      }),
    )
  })

  test('rules with COUNT, UNTIL and days of the month are applied', () => {
    const observances = [
      ['DTSTART:20200101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0300'],
      ['DTSTART:20220601T000000', 'TZOFFSETFROM:+0300', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;UNTIL=20231231T000000Z'],
      [
        'DTSTART:20220908T000000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0300',
        'RRULE:FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU;COUNT=2',
      ],
    ]
    const at = (local: string) =>
      read(calendar([{ tzid: 'X', observances }], ['UID:1', `DTSTART;TZID=X:${local}`]))?.startAt.toISOString()
    expect(at('20190101T120000')).toBe('2019-01-01T11:00:00.000Z')
    expect(at('20210101T120000')).toBe('2021-01-01T09:00:00.000Z')
    expect(at('20220701T120000')).toBe('2022-07-01T10:00:00.000Z')
    // The second Sunday of September 2023 was the 10th.
    expect(at('20230909T120000')).toBe('2023-09-09T10:00:00.000Z')
    expect(at('20230911T120000')).toBe('2023-09-11T09:00:00.000Z')
    expect(at('20270701T120000')).toBe('2027-07-01T09:00:00.000Z')
  })

  test('all its values can be stored, and a bad line affects no other line', () => {
    const half = fc.constantFrom('\ud83d', '\ude00', '\u0000', '😀', 'x', ';', '"', '=', ':', '\\n', '^', ',')
    const text = fc
      .tuple(fc.array(half, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 400 }))
      .map(([pieces, times]) => pieces.join('').repeat(times))
    const name = fc.constantFrom('SUMMARY', 'LOCATION', 'URL', 'ORGANIZER', 'ATTENDEE', 'DTEND', 'DURATION', 'SEQUENCE')
    const line = fc
      .tuple(name, fc.constantFrom(':', ';CN=', ';CN="', ';VALUE=RECUR:', ':mailto:', ':https://'), text)
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), text, (lines, uid) => {
        const found = read(
          calendar([], [`UID:${uid}u`, 'DTSTART:20260401T100000Z', ...lines, 'ATTENDEE:mailto:last@example.com']),
        )
        const stored = JSON.stringify(found)
        expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]/)
        expect(found).toMatchObject({ startAt: new Date('2026-04-01T10:00:00Z') })
        expect(found!.uid.length).toBeLessThanOrEqual(500)
        expect(found!.endAt.getTime() - found!.startAt.getTime()).toBeGreaterThan(0)
        expect(found!.attendees.at(-1)?.email).toBe('last@example.com')
      }),
    )
  })

  test('many attendees, nested events and long lines are limited', () => {
    const event = ['UID:1', 'DTSTART:20260401T100000Z']
    const attendees = Array.from({ length: 10_000 }, (_, at) => `ATTENDEE:mailto:a${at}@example.com`)
    expect(read(calendar([], [...event, ...attendees]))?.attendees.length).toBe(200)
    expect(read(calendar([], [...event, `SUMMARY${';a=b'.repeat(100_000)}:x`]))?.title).toBe('Meeting')
    expect(read(calendar([], [...event, 'SUMMARY:long', ...Array<string>(100_000).fill(' x')]))?.title).toMatch(
      /^longxxx/,
    )
    const nested = 'BEGIN:VEVENT\r\n'.repeat(30_000)
    expect(read(calendar([], [...event, nested, 'UID:2']))?.uid).toBe('1')
  })

  test('two long UIDs that differ only at the end stay different', () => {
    const uidOf = (uid: string) => read(calendar([], [`UID:${uid}`, 'DTSTART:20260401T100000Z']))?.uid
    const long = 'u'.repeat(1_500)
    expect(uidOf(`${long}1`)).not.toBe(uidOf(`${long}2`))
    expect(uidOf(`${long}1`)).toBe(uidOf(`${long}1`))
  })

  test('a time without a zone uses the zone of the calendar, else UTC', () => {
    const event = ['UID:1', 'DTSTART:20260401T100000']
    expect(read(calendar([], event))?.startAt.toISOString()).toBe('2026-04-01T10:00:00.000Z')
    const zoned = calendar([], event).replace('METHOD', 'X-WR-TIMEZONE:America/New_York\r\nMETHOD')
    expect(read(zoned)).toMatchObject({
      startAt: new Date('2026-04-01T14:00:00Z'),
      timezone: 'America/New_York',
    })
    const allDay = read(calendar([], ['UID:1', 'DTSTART;VALUE=DATE:20260401', 'DTEND;VALUE=DATE:20260402']))
    expect(allDay!.endAt.getTime() - allDay!.startAt.getTime()).toBe(dayMs)
    const named = 'DTSTART;TZID=/example.org/20210101_1/Europe/Berlin:20260401T100000'
    expect(read(calendar([], ['UID:1', named]))?.timezone).toBe('Europe/Berlin')
  })
})
