import {
  asAddressedAttribution,
  datedLine,
  endsAttribution,
  endsSentence,
  groupWise,
  isAttribution,
  isDeviceSignature,
  isDivider,
  isSignatureMark,
  mayBeginAttribution,
  saysWrote,
} from './quote-marks.ts'
import { headerBlockLength } from './quote-headers.ts'
import { asciiDigits } from '../mime/digits.ts'

export type Kind = 'blank' | 'quote' | 'attribution' | 'divider' | 'header' | 'mark' | 'device' | 'text'

export interface Line {
  kind: Kind
  text: string
}

const wrapsMax = 6
const attributionCharsMax = 500

/** The kind of each line of a body: written, quoted, or a mark of a mail program. */
export function classifyLines(originals: string[]): Line[] {
  // Hebrew and Arabic mail has marks of writing direction around names and addresses.
  const lines = originals.map((line) => asciiDigits(line).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''))
  const firstOwn = lines.findIndex((line) => line.trim() !== '' && !/^\s{0,3}>/.test(line))
  const out: Line[] = []
  let fenced = false
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    if (/^\s{0,3}```/.test(line)) fenced = !fenced
    const taken = fenced
      ? 0
      : attributionLength(lines, at, firstOwn) ||
        brokenAttributionLength(lines, at) ||
        datedAttributionLength(lines, at)
    if (taken > 0) {
      for (const one of lines.slice(at, at + taken)) out.push({ kind: 'attribution', text: one })
      at += taken
      continue
    }
    const block = fenced ? 0 : headerBlockLength(lines, at)
    if (block > 0) {
      for (const one of lines.slice(at, at + block)) out.push({ kind: 'header', text: one })
      at += block
      continue
    }
    out.push({ kind: fenced ? (line === '' ? 'blank' : 'text') : lineKind(line), text: line })
    at++
  }
  return out.map((line, at) => ({ ...line, text: originals[at]! }))
}

function lineKind(line: string): Kind {
  if (line.trim() === '') return 'blank'
  if (groupWise.test(line)) return 'divider'
  if (/^\s{0,3}(?:>|\|(?:\s|$))/.test(line)) return 'quote'
  if (isSignatureMark(line)) return 'mark'
  if (isDivider(line)) return 'divider'
  if (isDeviceSignature(line)) return 'device'
  return 'text'
}

/**
 * The number of lines from here that form one attribution, wrapped by a mail program. 0 if there is none. `firstOwn` is the
 * first line that is not quoted.
 */
function attributionLength(lines: string[], at: number, firstOwn: number): number {
  const first = unquoted(lines[at]!)
  const inQuote = /^\s{0,3}>/.test(lines[at]!)
  if (isAttribution(first)) return inQuote && !opensQuote(lines, at, firstOwn) ? 0 : 1
  if (!mayBeginAttribution(first) || isDeviceSignature(first) || endsSentence(first)) return 0
  let joined = first
  for (let more = 1; more <= wrapsMax && at + more < lines.length && joined.length < 400; more++) {
    const next = lines[at + more]!
    // Within a quote the attribution is part of the quote.
    const closes = !inQuote && isOpen(joined) && isQuoteLine(next)
    if (inQuote !== isQuoteLine(next) && next.trim() !== '' && !closes) return 0
    // If an attribution begins here after an empty line, the lines above it are text.
    if (lines[at + more - 1]!.trim() === '' && beginsAttribution(lines, at + more)) return 0
    joined = appended(joined, next)
    if (isAttribution(joined) && next.trim() !== '') {
      // Without a verb and over several lines, only a quoted line below distinguishes it from a sentence.
      if (!saysWrote(joined) && !quotesBelow(lines, at + more)) return 0
      if (inQuote && !opensQuote(lines, at, firstOwn)) return 0
      return more + 1 + (endsAttribution(lines[at + more + 1]) ? 1 : 0)
    }
    if (endsSentence(next)) return 0
  }
  return 0
}

function beginsAttribution(lines: readonly string[], at: number): boolean {
  let joined = ''
  for (const line of lines.slice(at, at + wrapsMax)) {
    if (line.trim() === '') return false
    joined = joined === '' ? unquoted(line) : appended(joined, line)
    if (isAttribution(joined)) return true
  }
  return false
}

// An attribution that is broken within the address, as Gmail does: an address in brackets, a date and a time, and a colon at
// the end, in any language.
function brokenAttributionLength(lines: readonly string[], at: number): number {
  const first = lines[at]!
  if (isNameAbove(lines, at)) {
    const below = brokenAttributionLength(lines, at + 1)
    if (below > 0) return below + 1
  }
  if (first.length > 300 || !/[\d@<(]/.test(first) || isQuoteLine(first)) return 0
  let joined = first.trim()
  for (let more = 1; more < wrapsMax; more++) {
    const next = lines[at + more]
    if (next === undefined || next.trim() === '' || (isQuoteLine(next) && !isOpen(joined))) return 0
    joined = glued(joined, next.trim())
    if (joined.length > attributionCharsMax) return 0
    if (!/[:：]$/.test(joined)) continue
    // If a later line begins the attribution, the lines above it are text.
    const found = asAddressedAttribution(joined) && quotesBelow(lines, at + more) && !beginsLater(lines, at, more)
    return found ? more + 1 : 0
  }
  return 0
}

// Whether the line contains only the name, and the next line the address.
function isNameAbove(lines: readonly string[], at: number): boolean {
  return (
    (lines[at - 1] ?? '').trim() === '' &&
    /^[<(]/.test(lines[at + 1] ?? '') &&
    /^["“„'«]?\p{L}[\p{L}\p{M}.,'’"“”»() -]{1,80}$/u.test(lines[at]!)
  )
}

function quotesBelow(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1, at + 4).find((line) => line.trim() !== '')
  return next !== undefined && isQuoteLine(next)
}

function beginsLater(lines: readonly string[], at: number, more: number): boolean {
  let joined = ''
  for (let later = at + more; later > at; later--) {
    joined = joined === '' ? lines[later]!.trim() : glued(lines[later]!.trim(), joined)
    if (asAddressedAttribution(joined)) return true
  }
  return false
}

function isOpen(text: string): boolean {
  return text.lastIndexOf('<') > text.lastIndexOf('>') || text.lastIndexOf('(') > text.lastIndexOf(')')
}

// A `>` that closes an address may be at the start of a line. It is no quote mark there.
function appended(joined: string, next: string): string {
  return isOpen(joined) && isQuoteLine(next) ? glued(joined, next.trim()) : glued(joined, unquoted(next).trim()).trim()
}

// Within brackets the two halves of an address are joined without a space.
function glued(line: string, next: string): string {
  return isOpen(line) && /[<(]\S{0,200}$/.test(line.slice(-202)) ? line + next : `${line} ${next}`
}

// A date and a name are an attribution if they are alone above a quoted line.
function datedAttributionLength(lines: readonly string[], at: number): number {
  if (!datedLine.test(lines[at]!) || (lines[at - 1] ?? '').trim() !== '') return 0
  return quotesBelow(lines, at) ? 1 : 0
}

/** The number of lines from here that are an attribution within a quoted part. 0 if there are none. */
export function quotedAttributionLength(lines: readonly Line[], at: number): number {
  const run = lines.slice(at, at + wrapsMax)
  const end = run.findIndex((line) => line.kind !== 'quote')
  const bare = (end === -1 ? run : run.slice(0, end)).map((line) => line.text.replace(/^[\s>|]+/, ''))
  return bare.length === 0 ? 0 : attributionLength(bare, 0, -1)
}

function isQuoteLine(line: string): boolean {
  return /^\s{0,3}>/.test(line)
}

// Apple Mail sometimes puts the attribution itself after the first quote mark.
function opensQuote(lines: string[], at: number, firstOwn: number): boolean {
  return firstOwn !== -1 && firstOwn < at && !/^\s{0,3}>/.test(lines[at - 1] ?? '')
}

function unquoted(line: string): string {
  return line.replace(/^\s{0,3}>\s?/, '').trimStart()
}
