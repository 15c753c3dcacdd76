import { describe, expect, test } from 'vitest'
import { readBusyTimes } from './busy-times.ts'

const span = {
  fromMs: Date.parse('2026-03-23T00:00:00Z'),
  toMs: Date.parse('2026-04-06T00:00:00Z'),
  timezone: 'Europe/Berlin',
}

function busyOf(events: string, calendar = ''): string[] | null {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', calendar, events.trim(), 'END:VCALENDAR']
  const read = readBusyTimes(lines.filter((line) => line !== '').join('\r\n'), span)
  if (read === null) return null
  expect(read.complete).toBe(true)
  return read.busy.map((times) => times.map((at) => new Date(at).toISOString().slice(0, 16)).join(' to '))
}

function event(...lines: string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')
}

describe('busy times of a calendar', () => {
  test('have the zone of the event, of the calendar, or of the host', () => {
    const at = 'DTSTART:20260324T090000'
    const end = 'DTEND:20260324T100000'
    const newYork = ['DTSTART;TZID=America/New_York:20260324T090000', 'DURATION:PT30M']
    expect(busyOf(event(...newYork))).toEqual(['2026-03-24T13:00 to 2026-03-24T13:30'])
    expect(busyOf(event(at, end), 'X-WR-TIMEZONE:Asia/Tokyo')).toEqual(['2026-03-24T00:00 to 2026-03-24T01:00'])
    expect(busyOf(event(at, end))).toEqual(['2026-03-24T08:00 to 2026-03-24T09:00'])
    expect(busyOf(event(`${at}Z`, `${end}Z`))).toEqual(['2026-03-24T09:00 to 2026-03-24T10:00'])
    const windows = event('DTSTART;TZID=W. Europe Standard Time:20260324T090000', 'DURATION:PT1H')
    expect(busyOf(windows)).toEqual(['2026-03-24T08:00 to 2026-03-24T09:00'])
  })

  test('leave out events that are canceled or marked as free', () => {
    const times = ['DTSTART:20260324T090000Z', 'DTEND:20260324T100000Z']
    const free = ['STATUS:CANCELLED', 'TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE']
    expect(busyOf(free.map((line) => event(...times, line)).join('\r\n'))).toEqual([])
    expect(busyOf(event(...times, 'STATUS:TENTATIVE', 'TRANSP:OPAQUE'))).toHaveLength(1)
  })

  test('cover whole days', () => {
    expect(busyOf(event('DTSTART;VALUE=DATE:20260324', 'DTEND;VALUE=DATE:20260326'))).toEqual([
      '2026-03-23T23:00 to 2026-03-25T23:00',
    ])
    expect(busyOf(event('DTSTART;VALUE=DATE:20260324'))).toEqual(['2026-03-23T23:00 to 2026-03-24T23:00'])
  })

  test('are merged where events overlap, and cut at the span', () => {
    const events = [
      event('DTSTART:20260324T090000Z', 'DTEND:20260324T110000Z'),
      event('DTSTART:20260324T100000Z', 'DTEND:20260324T103000Z'),
      event('DTSTART:20260320T000000Z', 'DTEND:20260323T060000Z'),
      event('DTSTART:20270324T090000Z', 'DTEND:20270324T110000Z'),
    ]
    expect(busyOf(events.join('\r\n'))).toEqual([
      '2026-03-23T00:00 to 2026-03-23T06:00',
      '2026-03-24T09:00 to 2026-03-24T11:00',
    ])
  })
})

describe('repeated events', () => {
  test('keep their wall-clock time when the clocks change', () => {
    const weekly = event(
      'UID:standup',
      'DTSTART;TZID=Europe/Berlin:20190107T093000',
      'DURATION:PT15M',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
    )
    expect(busyOf(weekly)).toEqual(['2026-03-23T08:30 to 2026-03-23T08:45', '2026-03-30T07:30 to 2026-03-30T07:45'])
  })

  test('of every second week stay in their weeks, however long ago they began', () => {
    const weekly = (start: string) =>
      busyOf(event(`DTSTART:${start}T090000Z`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH'))
    // 24 March 2026 is 532 weeks after 12 January 2016.
    expect(weekly('20160112')).toEqual(['2026-03-24T09:00 to 2026-03-24T10:00', '2026-03-26T09:00 to 2026-03-26T10:00'])
    expect(weekly('20160105')).toEqual(['2026-03-31T09:00 to 2026-03-31T10:00', '2026-04-02T09:00 to 2026-04-02T10:00'])
  })

  test('end with their count or their last moment', () => {
    const daily = (rule: string) =>
      busyOf(event('DTSTART;TZID=America/New_York:20260323T210000', 'DURATION:PT1H', `RRULE:FREQ=DAILY;${rule}`))
    expect(daily('COUNT=2')).toHaveLength(2)
    // 21:00 in New York on 25 March is 01:00 in UTC on the 26th.
    expect(daily('UNTIL=20260326T010000Z')).toHaveLength(3)
    expect(daily('UNTIL=20260326T005959Z')).toHaveLength(2)
  })

  test('lose exceptions and move occurrences', () => {
    const events = [
      event(
        'UID:a',
        'DTSTART;TZID=Europe/Berlin:20260323T090000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE;TZID=Europe/Berlin:20260324T090000,20260326T090000',
        'RDATE:20260401T120000Z',
      ),
      event(
        'UID:a',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260325T090000',
        'DTSTART;TZID=Europe/Berlin:20260325T150000',
        'DURATION:PT30M',
      ),
      event(
        'UID:a',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260327T090000',
        'DTSTART:20260327T080000Z',
        'STATUS:CANCELLED',
      ),
    ]
    expect(busyOf(events.join('\r\n'))).toEqual([
      '2026-03-23T08:00 to 2026-03-23T09:00',
      '2026-03-25T14:00 to 2026-03-25T14:30',
      '2026-04-01T12:00 to 2026-04-01T13:00',
    ])
  })

  test('of a month are found by their weekday', () => {
    const monthly = event('DTSTART:20250131T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR')
    expect(busyOf(monthly)).toEqual(['2026-03-27T10:00 to 2026-03-27T11:00'])
  })
})

describe('hostile calendars', () => {
  test('a text that is no calendar is refused', () => {
    expect(readBusyTimes('<!doctype html><title>Sign in</title>', span)).toBeNull()
    expect(readBusyTimes('', span)).toBeNull()
  })

  test('a rule of each second and a broken time are told, and the other events are read', () => {
    const text = ['BEGIN:VCALENDAR', event('DTSTART:20260324T090000Z', 'RRULE:FREQ=SECONDLY', 'DURATION:PT1H')]
    const broken = event('DTSTART:soon', 'DURATION:PT1H')
    const read = readBusyTimes([...text, broken, 'END:VCALENDAR'].join('\n'), span)
    expect(read).toEqual({
      busy: [[Date.parse('2026-03-24T09:00:00Z'), Date.parse('2026-03-24T10:00:00Z')]],
      complete: false,
    })
  })

  test('the number of times is bounded', () => {
    const hourly = event('DTSTART:20100101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=HOURLY')
    const read = readBusyTimes(['BEGIN:VCALENDAR', hourly, 'END:VCALENDAR'].join('\n'), span)
    expect(read).toEqual({ busy: [], complete: false })
  })

  test('an alarm inside an event does not change its times', () => {
    const alarm = ['BEGIN:VALARM', 'DTSTART:20200101T000000Z', 'TRIGGER:-PT15M', 'END:VALARM'].join('\r\n')
    expect(busyOf(event(alarm, 'DTSTART:20260324T090000Z', 'DURATION:PT1H'))).toHaveLength(1)
  })
})
