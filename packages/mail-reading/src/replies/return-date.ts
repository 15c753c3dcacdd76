import { sequence } from '@overture/ground/text/patterns.ts'
import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import { asciiDigits } from '../mime/digits.ts'
import {
  dayFirst,
  dayOnly,
  eastAsianDate,
  eastAsianRange,
  iso,
  monthFirst,
  monthOnly,
  numeric,
  relative,
  weekdayOnly,
  workingHours,
} from './return-date-patterns.ts'
import {
  bounding,
  followedByReturn,
  monthsByName,
  postposition,
  returning,
  weekdaysByName,
} from './return-date-words.ts'

const horizonMs = 400 * dayMs
/** The longest time between the last day away and the day of return. */
const returnMsMax = 4 * dayMs
const lookedChars = 8_000
/** How far after its word a date may be. */
const clauseChars = 60
const datesMax = 40

export interface MailTime {
  sentAtMs: number
  /** Minutes east of UTC in the Date header. It matters because American senders write the month first. */
  offsetMinutes: number
}

/**
 * The last day away or the day of return, as `YYYY-MM-DD`. Null if the text gives none in the future (400 days at most). The
 * first sentence that names a return decides, because later dates are about other people and events. A day of return right
 * after the last day away counts too.
 */
export function readReturnDate(text: string, time: MailTime): string | null {
  const { flat, starts } = flattened(asciiDigits(text.slice(0, lookedChars)).toLowerCase())
  const reading = { ...time, eastAsian: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u.test(flat) }
  const isAhead = ({ at }: FoundDate) => at >= startOfDay(time.sentAtMs) - dayMs && at - time.sentAtMs <= horizonMs
  const returns = [
    ...afterReturning(flat, reading),
    ...beforePostposition(flat, reading),
    ...eastAsianDates(flat, reading),
  ]
  const sentenceAt = (index: number) => starts.findLastIndex((start) => start <= index)
  const sentenceText = (sentence: number) => flat.slice(starts[sentence], starts[sentence + 1])
  const isOwn = ({ index }: FoundDate) => !aboutOffers.test(sentenceText(sentenceAt(index)))
  const found = returns.filter(isAhead)
  const bounds = [...afterBounding(flat, reading)].filter(isAhead)
  const dates = [found.filter(isOwn), bounds.filter(isOwn), found, bounds].find((some) => some.length > 0)
  if (dates === undefined) return null
  const first = Math.min(...dates.map(({ index }) => sentenceAt(index)))
  const inFirst = dates.filter(({ index }) => sentenceAt(index) === first).toSorted((a, b) => a.index - b.index)
  const last = inFirst[0]?.isReturn === true ? inFirst[0].at : Math.max(...inFirst.map(({ at }) => at))
  // Sentences in Chinese, Japanese and Korean are not separated by spaces, so all their dates are compared.
  const near = [...dates, ...bounds].filter(({ at }) => reading.eastAsian || at - last <= returnMsMax)
  return new Date(Math.max(...near.map(({ at }) => at))).toISOString().slice(0, 10)
}

/** Sentences about sales and events also name the day until which something is valid. */
const aboutOffers = sequence(
  [
    /(?<!\p{L})/u,
    [
      /offers?|sales?|discounts?|promotions?|registrations?|tickets?|vouchers?|valid|angebote?|gültig|anmeldung/,
      /rabatte?|offres?|valable|ofertas?|offert[ae]|aanbieding(?:en)?/,
    ],
    /(?!\p{L})/u,
  ],
  'u',
)

interface FoundDate {
  at: number
  index: number
  /** The words name the day of return, so a later day of the sentence is about another person. */
  isReturn?: boolean
}

const returnAfter =
  /^[\s,.]{1,3}(?:wieder|zurück|back|de retour|terug|tillbaka|tilbage|tilbake|de vuelta|de volta)(?!\p{L})/u
const returnDay = sequence(
  [
    /^(?:back|return(?:ing)?|zurück|retour|terug|vuelta|volta)/,
    /(?: (?:to|in|at|im|au|en) (?:\p{L}{1,12} ){0,2}\p{L}{1,12})? (?:on|am|le|el|em|op) /u,
  ],
  'u',
)

/** The text on one line, and where its sentences and paragraphs start. */
function flattened(text: string): { flat: string; starts: number[] } {
  const starts: number[] = []
  let flat = ''
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const line = `${paragraph.replace(/\s+/g, ' ').trim()} `
    starts.push(flat.length)
    for (const end of line.matchAll(/(?<=\p{L}{3}|\d{4}| (?:da|it|me|us|là)|[)"”])[.!?;。！？]+ (?=\S)/gu))
      starts.push(flat.length + end.index + end[0].length)
    flat += line
  }
  return { flat, starts }
}

interface ReadingContext extends MailTime {
  eastAsian: boolean
}

function* afterReturning(flat: string, reading: ReadingContext): Generator<FoundDate> {
  let count = 0
  for (const lead of flat.matchAll(returning)) {
    if (++count > datesMax) return
    const clause = firstClause(flat.slice(lead.index + lead[0].length, lead.index + lead[0].length + clauseChars + 30))
    const at = inClause(clause, reading)
    if (at === null) continue
    yield { at, index: lead.index, isReturn: returnDay.test(`${lead[0]}${clause}`) }
  }
}

function* afterBounding(flat: string, reading: ReadingContext): Generator<FoundDate> {
  let count = 0
  for (const lead of flat.matchAll(bounding)) {
    const rest = flat.slice(lead.index + lead[0].length, lead.index + lead[0].length + clauseChars)
    // "From next week this address is closed" names no return.
    const at = lead[0] === 'from' && relative.test(rest) ? null : readDate(rest, reading)
    if (at === null || workingHours.test(flat.slice(Math.max(0, lead.index - 40), lead.index))) continue
    yield { at, index: lead.index }
    if (++count > datesMax) return
  }
}

function* beforePostposition(flat: string, reading: ReadingContext): Generator<FoundDate> {
  let count = 0
  for (const start of flat.matchAll(/(?<![\d.\p{L}])(?:\d{1,4}|\p{L}{3,12}(?= \d{1,2}))/gu)) {
    if (++count > datesMax * 5) return
    const date = dateAt(flat.slice(start.index, start.index + clauseChars), reading)
    if (date === null) continue
    const behind = flat.slice(start.index + date.length, start.index + date.length + clauseChars)
    if (date.range || postposition.test(behind.slice(0, 24)) || followedByReturn.test(behind))
      yield { at: date.at, index: start.index, isReturn: !date.range && returnAfter.test(behind) }
  }
}

// 3月5日まで, 3月5日(木)に戻り, 3月16日返回, 至3月5日, 3월 13일까지
function* eastAsianDates(flat: string, reading: ReadingContext): Generator<FoundDate> {
  if (!reading.eastAsian) return
  // 3月9日至13日: the end has no month of its own.
  for (const { 1: month, 2: day, index } of flat.matchAll(eastAsianRange)) {
    const at = nearest(Number(day), Number(month), null, reading)
    if (at !== null) yield { at, index }
  }
  for (const { 1: until, 2: year, 3: month, 4: day, 5: after, index } of flat.matchAll(eastAsianDate)) {
    if (until === undefined && after === undefined) continue
    const at = nearest(Number(day), Number(month), year === undefined ? null : Number(year), reading)
    if (at !== null) yield { at, index }
  }
}

// A full stop after a long word ends the sentence. After a number or an abbreviation it does not.
function firstClause(text: string): string {
  const end = /[!?;]|\p{L}{5,}\. /u.exec(text)
  return end === null ? text : text.slice(0, end.index + end[0].length)
}

/** The first whole date of a clause, else the weekday or "tomorrow" that it begins with. */
function inClause(clause: string, reading: ReadingContext): number | null {
  const direct = readDate(clause, reading)
  if (direct !== null && dateAt(clause, reading) !== null) return direct
  for (const start of clause.slice(0, clauseChars).matchAll(/(?<![\p{L}\d.])[\p{L}\d]/gu)) {
    const date = dateAt(clause.slice(start.index), reading)
    if (date !== null) return date.at
  }
  if (direct !== null) return direct
  // "back at my desk on Monday the 16th"
  const on = /\bon (?=\p{L})/u.exec(clause)
  return on === null ? null : readDate(clause.slice(on.index + 3), reading)
}

function readDate(rest: string, reading: ReadingContext): number | null {
  const date = dateAt(rest, reading)
  if (date !== null) return date.at
  const ordinal = dayOnly.exec(rest)
  if (ordinal !== null) return nextDayOfMonth(Number(ordinal[1] ?? ordinal[2]), reading)
  const weekday = weekdayOnly.exec(rest)
  // "mon" in "mon retour" is not Monday.
  if (weekday !== null && !(weekday[1]!.length <= 4 && /^ \p{L}/u.test(rest.slice(weekday[0].length))))
    return nextWeekday(weekdaysByName.get(weekday[1]!)!, reading)
  const word = relative.exec(rest)
  if (word === null) return monthAlone(rest, reading)
  return startOfDay(reading.sentAtMs) + (/week|woche|semaine|semana/.test(word[1]!) ? 7 : 1) * dayMs
}

/** The whole date at the start of a text, and its length. */
function dateAt(rest: string, reading: ReadingContext): { at: number; length: number; range: boolean } | null {
  const readings: [RegExpExecArray | null, (match: RegExpExecArray) => number | null][] = [
    [iso.exec(rest), (match) => nearest(Number(match[3]), Number(match[2]), Number(match[1]), reading)],
    [
      dayFirst.exec(rest),
      (match) => nearest(Number(match[1]), monthsByName.get(match[2]!)!, parseYear(match[3]), reading),
    ],
    [
      monthFirst.exec(rest),
      (match) =>
        nearest(
          Number(match.groups?.['end'] ?? match[3]),
          monthsByName.get(match[2]!)!,
          parseYear(match[1] ?? match[5]),
          reading,
        ),
    ],
    [numeric.exec(rest), (match) => readNumeric(match, reading)],
  ]
  for (const [match, read] of readings) {
    if (match === null) continue
    const at = read(match)
    return at === null
      ? null
      : {
          at,
          length: match[0].trimEnd().replace(/[.,]$/, '').length,
          range: match.groups?.['end'] !== undefined,
        }
  }
  return null
}

function readNumeric(match: RegExpExecArray, reading: ReadingContext): number | null {
  const [a, b] = [Number(match[1]), Number(match[3])]
  const year = parseYear(match[4])
  const americanZone = reading.offsetMinutes <= -240 && reading.offsetMinutes >= -600
  const monthStands =
    b > 12 || (match[2] === '/' && (americanZone || reading.eastAsian) && a <= 12) ? 'first' : 'second'
  const [usual, other] = [nearest(a, b, year, reading), nearest(b, a, year, reading)]
  if (monthStands === 'first') return other
  // "3/9" in a note of 2 March is more likely next week than in half a year, in any time zone.
  const days = (at: number | null) => (at === null ? Number.NaN : (at - startOfDay(reading.sentAtMs)) / dayMs)
  const nearer = match[2] === '/' && year === null && days(usual) > 90 && days(other) >= 0 && days(other) <= 31
  return nearer ? other : usual
}

function parseYear(text: string | undefined): number | null {
  if (text === undefined) return null
  // Thailand uses the Buddhist calendar.
  if (Number(text) > 2500) return Number(text) - 543
  return text.length === 2 ? 2000 + Number(text) : Number(text)
}

function monthAlone(rest: string, reading: ReadingContext): number | null {
  const match = monthOnly.exec(rest)
  const name = match?.[2] ?? ''
  const atEnd = match?.groups?.['end'] !== undefined
  // A short word alone may not be a month: "back may take a while".
  if (match === null || (!atEnd && match[3] === undefined && name.length < 5)) return null
  const first = nearest(1, monthsByName.get(name)!, parseYear(match[3]), reading)
  if (first === null || !atEnd) return first
  const date = new Date(first)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
}

// If the date has no year, returns the year in which the day is at most shortly before the message.
function nearest(day: number, month: number, year: number | null, time: MailTime): number | null {
  if (day < 1 || day > 31 || month < 1 || month > 12) return null
  const sentYear = new Date(time.sentAtMs).getUTCFullYear()
  const at = Date.UTC(year ?? sentYear, month - 1, day)
  if (year === null && at < startOfDay(time.sentAtMs) - 60 * dayMs) return Date.UTC(sentYear + 1, month - 1, day)
  return at
}

function nextDayOfMonth(day: number, time: MailTime): number | null {
  if (day < 1 || day > 31) return null
  const today = startOfDay(time.sentAtMs + time.offsetMinutes * minuteMs)
  const date = new Date(today)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (day >= date.getUTCDate() ? 0 : 1), day)
}

function nextWeekday(weekday: number, time: MailTime): number {
  const today = startOfDay(time.sentAtMs + time.offsetMinutes * minuteMs)
  const current = ((new Date(today).getUTCDay() + 6) % 7) + 1
  return today + ((weekday - current + 7) % 7 || 7) * dayMs
}

function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs
}
