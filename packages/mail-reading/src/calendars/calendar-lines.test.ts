import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCalendarLines } from './calendar-lines.ts'

type Part = string | { name: string; parts: readonly Part[] }

const line = fc
  .tuple(
    fc.constantFrom(
      'METHOD',
      'X-WR-TIMEZONE',
      'UID',
      'SUMMARY',
      'DTSTART',
      'RRULE',
      'TZOFFSETTO',
      'TZID',
      'ACTION',
      'X-OTHER',
    ),
    fc.nat(999),
  )
  .map(([name, n]) => `${name}:${n}`)
const alarm = component('VALARM', line)
const other = component('X-OTHER', fc.oneof(line, alarm))
const event = component('VEVENT', fc.oneof(line, alarm, other))
const observance = fc.oneof(component('STANDARD', line), component('DAYLIGHT', line))
const zone = component('VTIMEZONE', fc.oneof(line, observance, other))
const calendar = component('VCALENDAR', fc.oneof(line, event, zone, other, component('STANDARD', line)))

function component(name: string, part: fc.Arbitrary<Part>): fc.Arbitrary<Part & object> {
  return fc.array(part, { maxLength: 6 }).map((parts) => ({ name, parts }))
}

function written(part: Part): string[] {
  return typeof part === 'string' ? [part] : [`BEGIN:${part.name}`, ...part.parts.flatMap(written), `END:${part.name}`]
}

const linesOf = ({ parts }: Part & object, names: RegExp) =>
  parts.filter((part): part is string => typeof part === 'string' && names.test(part))
const within = ({ parts }: Part & object, names: readonly string[]) =>
  parts.filter((part): part is Part & object => typeof part !== 'string' && names.includes(part.name))

test('keeps the lines of the calendar, of its first event and of each zone, without nested parts', () => {
  const breaks = fc.array(fc.nat(9), { maxLength: 20 })
  fc.assert(
    fc.property(calendar, breaks, fc.constantFrom('\n', '\r\n'), (root, places, end) => {
      // A line may be folded at any place except before its first character.
      const folded = written(root).map((one, at) => {
        const place = 1 + (places[at] ?? one.length)
        return place < one.length ? `${one.slice(0, place)}${end} ${one.slice(place)}` : one
      })
      const [first] = within(root, ['VEVENT'])
      expect(readCalendarLines(folded.join(end) + end)).toEqual({
        calendar: linesOf(root, /^(METHOD|X-WR)/),
        event: first === undefined ? [] : linesOf(first, /^(UID|SUMMARY|DTSTART)/),
        zones: within(root, ['VTIMEZONE']).map((one) => ({
          tzid: linesOf(one, /^TZID/).at(-1)?.slice('TZID:'.length) ?? '',
          observances: within(one, ['STANDARD', 'DAYLIGHT']).map((rule) =>
            linesOf(rule, /^(DTSTART|RRULE|TZOFFSETTO)/),
          ),
        })),
      })
    }),
  )
})
