import { dayMs, minuteMs, secondMs } from '@overture/ground/time/spans.ts'

const escapedCharacter = /_x([0-9A-Fa-f]{4})_/g

/**
 * A text of a workbook, in which `_x000D_` is the character with this number. Control characters that XML does not allow are left out.
 * Source: ECMA-376-1, 22.9.2.19.
 */
export function decodeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(escapedCharacter, readCharacter).replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

function readCharacter(_escape: string, digits: string): string {
  const code = Number.parseInt(digits, 16)
  const isControl = code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d
  return isControl ? '' : String.fromCharCode(code)
}

/** The length from which V8 stores a part of a text as a reference to the whole. */
const referenceCharsMin = 13

/** The same text without a reference to the longer text from which it was cut, which would otherwise stay in memory with it. */
export function detachedText(text: string): string {
  return text.length < referenceCharsMin ? text : ` ${text}`.slice(1)
}

/** The column of a reference such as `AB12`, from 0. */
export function readColumn(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? 'A'
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The letters of a column, such as `AB`. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last
}

/** A number as a spreadsheet shows it: with 15 digits, without the rounding error of the stored value. */
export function numberText(number: number): string {
  return String(Number(number.toPrecision(15)))
}

const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
/** Before this day the count is one day off, since it contains 29 February 1900, which did not exist. */
const firstRightDay = 61
const lastDay = 2_958_466

/** A day as `2026-11-29`, a time as `14:30` or `14:30:45`, or both, in the zone of the file. */
export function dateText(days: number, countsFrom1904: boolean): string {
  if (days < 0 || days >= lastDay) return numberText(days)
  const offset = countsFrom1904 || days >= firstRightDay ? 0 : 1
  const ms = toSeconds((countsFrom1904 ? epoch1904 : epoch1900) + (days + offset) * dayMs)
  return momentText(ms, days >= 1) ?? numberText(days)
}

const isoDate = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?)?(?:Z|[+-]\d{2}:\d{2})?$/

/** A date that the file stores as `2026-11-29T14:30:00`, in the format of other dates. Other texts are unchanged. */
export function isoDateText(text: string): string {
  const [, day, time, seconds = ':00'] = isoDate.exec(text) ?? []
  const ms = toSeconds(Date.parse(`${day ?? '1970-01-01'}T${time ?? '00:00'}${seconds}Z`))
  if ((day === undefined && time === undefined) || Number.isNaN(ms)) return text
  return momentText(ms, day !== undefined) ?? text
}

/** A duration in days as hours and minutes, such as `36:00` or `36:00:05`. */
export function durationText(days: number): string {
  const all = Math.round((Math.abs(days) * dayMs) / secondMs)
  if (!Number.isSafeInteger(all)) return numberText(days)
  const seconds = all % 60
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, ...(seconds === 0 ? [] : [seconds])]
  return `${days < 0 && all > 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`
}

/** A stored time has a rounding error that is less than a second. */
function toSeconds(ms: number): number {
  return Math.round(ms / secondMs) * secondMs
}

const yearMax = 9999

/** Seconds are left out if there are none. Null for a year with five digits, which spreadsheets don't have. */
function momentText(ms: number, hasDay: boolean): string | null {
  const moment = new Date(ms)
  if (moment.getUTCFullYear() > yearMax) return null
  const isWholeDay = hasDay && ms % dayMs === 0
  const timeEnd = ms % minuteMs === 0 ? 16 : 19
  return moment.toISOString().slice(hasDay ? 0 : 11, isWholeDay ? 10 : timeEnd)
}
