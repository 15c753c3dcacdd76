import {
  endsAttribution,
  endsSentence,
  groupWise,
  isAttribution,
  isDeviceSignature,
  isDivider,
  isSignatureMark,
  mayBeginAttribution,
  replyLine,
} from './quote-marks.ts'
import { asciiDigits } from '../mime/digits.ts'
import { headerBlockLength } from './quote-headers.ts'

/** A message's body, taken apart; together the three hold every line that a person wrote. */
export interface ReplyText {
  /** What is new. Answers between quoted lines keep the lines that they answer. */
  text: string
  quoted: string
  signature: string
}

const lineLimit = 20_000
const signatureLinesMax = 14
/** What fits into one line is not wrapped. */
const wrappedChars = 60

type Kind = 'blank' | 'quote' | 'attribution' | 'divider' | 'header' | 'mark' | 'device' | 'text'

interface Line {
  kind: Kind
  text: string
}

/** Takes apart a plain-text body: top-, bottom- and interleaved answers, in any of many languages. */
export function splitReply(body: string): ReplyText {
  const all = body.replace(/\u200b|\ufeff/g, '').split('\n')
  const rest = all.slice(lineLimit)
  const lines = told(kindsOf(all.slice(0, lineLimit).map((line) => line.trimEnd())))
  const { own, quoted } = ownLines(lines)
  const { text, signature } = withoutSignature(own)
  if (text.trim() === '') return nothingNew(lines, quoted, signature)
  return { text: tidy(text), quoted: tidy([...quoted, ...rest].join('\n')), signature: tidy(signature) }
}

/** The new text without the lines of others inside it: what opt-outs are looked for in. */
export function ownWords(reply: ReplyText): string {
  return reply.text
    .split('\n')
    .filter((line) => !/^\s{0,3}(?:>|\|\s)/.test(line))
    .join('\n')
    .trim()
}

// Everything was taken away: better to show a quoted text as new than to lose what somebody wrote.
function nothingNew(lines: Line[], quoted: string[], signature: string): ReplyText {
  const foreign = lines.some((line) => line.kind === 'attribution' || line.kind === 'divider' || line.kind === 'header')
  if (foreign || quoted.length === 0) return { text: '', quoted: tidy(quoted.join('\n')), signature: tidy(signature) }
  return { text: tidy(quoted.join('\n')), quoted: '', signature: tidy(signature) }
}

function ownLines(lines: Line[]): { own: Line[]; quoted: string[] } {
  const foreign = lines.findIndex(
    (line) => line.kind === 'attribution' || line.kind === 'divider' || line.kind === 'header',
  )
  if (foreign !== -1 && !lines.some((line) => line.kind === 'text')) {
    return { own: lines.slice(0, foreign), quoted: textsOf(lines.slice(foreign)) }
  }
  const after = bottomPosted(lines)
  if (after !== null) return { own: lines.slice(after), quoted: textsOf(lines.slice(0, after)) }
  const end = topPosted(lines)
  const head = lines.slice(0, end)
  const tail = trailingQuote(head)
  const kept = head.slice(0, tail)
  const own = kept.filter((line) => line.kind !== 'attribution')
  return {
    own,
    quoted: [...textsOf(kept.filter((line) => line.kind === 'attribution')), ...textsOf(lines.slice(tail))],
  }
}

/** Where the new text begins when it stands below one quoted message; null when it does not. */
function bottomPosted(lines: Line[]): number | null {
  let at = lines.findIndex((line) => line.kind !== 'blank')
  if (
    at === -1 ||
    (lines[at]!.kind !== 'attribution' && !(lines[at]!.kind === 'quote' && quotesAttribution(lines[at]!.text)))
  )
    return null
  while (at < lines.length && lines[at]!.kind === 'attribution') at++
  while (
    at < lines.length &&
    (lines[at]!.kind === 'quote' || lines[at]!.kind === 'blank' || lines[at]!.kind === 'attribution')
  )
    at++
  const rest = lines.slice(at)
  if (!rest.some((line) => line.kind === 'text')) return null
  const quotes = lines.slice(0, at).some((line) => line.kind === 'quote')
  // Answers between quoted lines are not understood without the first of them.
  const between = rest.findIndex((line) => line.kind === 'quote')
  if (quotes && between !== -1 && rest.slice(between).some((line) => line.kind === 'text'))
    return lines.findIndex(
      (line) => line.kind !== 'blank' && line.kind !== 'attribution' && !quotesAttribution(line.text),
    )
  // Without quote marks there is no telling where the quoted part ends: only the attribution is taken off.
  if (!quotes) return lines.findIndex((line) => line.kind !== 'blank' && line.kind !== 'attribution')
  return at
}

function quotesAttribution(text: string): boolean {
  return isAttribution(text.replace(/^[\s>|]+/, ''))
}

/** Where the message that is answered begins below the new text; the number of lines when it does not. */
function topPosted(lines: Line[]): number {
  const firstText = lines.findIndex((line) => line.kind === 'text')
  for (let at = 0; at < lines.length; at++) {
    const { kind } = lines[at]!
    if (kind !== 'divider' && kind !== 'header' && kind !== 'attribution') continue
    if (firstText === -1 || firstText > at) {
      if (kind === 'attribution' || replyLine.test(lines[at]!.text)) continue
      return at
    }
    if (kind !== 'attribution') return at
    const answers = answersBelow(lines, at)
    if (answers === 0) return at
    return lines.length
  }
  return lines.length
}

// "On 12 March Bob wrote:" without an address and a time, with nothing marked as quoted below it but under a later one:
// the writer tells what somebody else said.
function told(lines: Line[]): Line[] {
  let followedBy: Kind | null = null
  let quotesBelow = false
  // From the end, so that each line knows what is below it.
  return lines
    .toReversed()
    .map((line): Line => {
      const third =
        line.kind === 'attribution' && quotesBelow && followedBy === 'text' && !/@|\d[:.h]\d{2}(?!\d)/.test(line.text)
      if (line.kind === 'attribution' && followedBy === 'quote' && line.text.includes('@')) quotesBelow = true
      if (line.kind !== 'blank') followedBy = line.kind
      return third ? { ...line, kind: 'text' } : line
    })
    .toReversed()
}

// Below an attribution: text lines between or after quoted ones are answers, unless nothing is marked as quoted at all.
function answersBelow(lines: Line[], from: number): number {
  let seenQuote = false
  let blankAfterQuote = false
  let answers = 0
  let quotedChars = 0
  for (const line of lines.slice(from + 1)) {
    if (line.kind === 'mark' || line.kind === 'divider' || line.kind === 'header') break
    if (line.kind === 'quote') {
      seenQuote = true
      blankAfterQuote = false
      quotedChars = line.text.length
    } else if (line.kind === 'blank') blankAfterQuote = seenQuote
    // A short line directly below a long quoted one is its wrapped rest, where mail programs broke the line.
    else if (
      line.kind === 'text' &&
      seenQuote &&
      (blankAfterQuote || line.text.length > 40 || quotedChars + line.text.length < wrappedChars)
    )
      answers++
    else if (line.kind === 'text' && !seenQuote) return 0
  }
  return answers
}

/** Where the quoted part begins that the text ends in, also above a signature; the number of lines where there is none. */
function trailingQuote(lines: Line[]): number {
  const firstText = lines.findIndex((line) => line.kind === 'text')
  for (let length = lines.length; firstText !== -1 && firstText < length;) {
    let end = length
    let quoteSeen = false
    while (end > 0 && lines[end - 1]!.kind !== 'text' && lines[end - 1]!.kind !== 'device') {
      if (lines[end - 1]!.kind === 'quote') quoteSeen = true
      end--
    }
    if (quoteSeen) return end
    // A signature may stand below the quoted part.
    length = end - 1
    while (length > 0 && lines[length]!.kind !== 'mark') length--
  }
  return lines.length
}

function withoutSignature(lines: Line[]): { text: string; signature: string } {
  let end = lines.length
  const mark = signatureMark(lines)
  if (mark !== -1 && lines.slice(0, mark).some((line) => line.kind === 'text')) end = mark
  let from = end
  while (
    from > 0 &&
    (lines[from - 1]!.kind === 'device' || lines[from - 1]!.kind === 'blank' || lines[from - 1]!.kind === 'mark')
  )
    from--
  // Lines between device signatures ("Someone from mobile") belong to them.
  const firstDevice = lines.findIndex((line) => line.kind === 'device')
  if (firstDevice !== -1 && firstDevice < from) {
    const between = lines.slice(firstDevice, from).filter((line) => line.kind === 'text')
    const devices = lines.slice(firstDevice, end).filter((line) => line.kind === 'device')
    if (between.length > 0 && between.length * 3 <= devices.length) from = firstDevice
  }
  return { text: textsOf(lines.slice(0, from)).join('\n'), signature: textsOf(lines.slice(from)).join('\n') }
}

/** The first mark that no more lines follow than a signature has; -1 for none. */
function signatureMark(lines: Line[]): number {
  let found = -1
  for (let at = lines.length - 1, below = 0; at >= 0 && below <= signatureLinesMax; at--) {
    if (lines[at]!.kind === 'mark') found = at
    if (lines[at]!.kind !== 'blank') below++
  }
  return found
}

function textsOf(lines: Line[]): string[] {
  return lines.map((line) => line.text)
}

function kindsOf(originals: string[]): Line[] {
  // Marks of writing direction stand around names and addresses in Hebrew and Arabic.
  const lines = originals.map((line) => asciiDigits(line).replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''))
  const firstOwn = lines.findIndex((line) => line.trim() !== '' && !/^\s{0,3}>/.test(line))
  const out: Line[] = []
  let fenced = false
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!
    if (/^\s{0,3}```/.test(line)) fenced = !fenced
    const taken = fenced ? 0 : attributionLength(lines, at, firstOwn)
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
    out.push({ kind: fenced ? (line === '' ? 'blank' : 'text') : kindOf(line), text: line })
    at++
  }
  return out.map((line, at) => ({ ...line, text: originals[at]! }))
}

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank'
  if (groupWise.test(line)) return 'divider'
  if (/^\s{0,3}(?:>|\|(?:\s|$))/.test(line)) return 'quote'
  if (isSignatureMark(line)) return 'mark'
  if (isDivider(line)) return 'divider'
  if (isDeviceSignature(line)) return 'device'
  return 'text'
}

/** How many lines from here make one attribution, wrapped by a mail program; 0 for none. `firstOwn` is not quoted. */
function attributionLength(lines: string[], at: number, firstOwn: number): number {
  const first = unquoted(lines[at]!)
  const inQuote = /^\s{0,3}>/.test(lines[at]!)
  if (isAttribution(first)) return inQuote && !opensQuote(lines, at, firstOwn) ? 0 : 1
  if (!mayBeginAttribution(first) || isDeviceSignature(first) || endsSentence(first)) return 0
  let joined = first
  for (let more = 1; more <= 6 && at + more < lines.length && joined.length < 400; more++) {
    const next = lines[at + more]!
    // The `>` that closes an address can come to stand at the start of a line.
    if (!inQuote && /^\s{0,3}>[^>\n]{0,40}$/.test(next) && isAttribution(`${joined}${next.trim()}`)) return more + 1
    // Inside a quote the attribution is part of the quote.
    if (inQuote !== /^\s{0,3}>/.test(next) && next.trim() !== '') return 0
    // One that stands alone behind an empty line is the attribution, and what is above it is text.
    if (lines[at + more - 1]!.trim() === '' && isAttribution(unquoted(next))) return 0
    joined = `${joined} ${unquoted(next).trim()}`.trim()
    if (isAttribution(joined) && next.trim() !== '') {
      if (inQuote && !opensQuote(lines, at, firstOwn)) return 0
      return more + 1 + (endsAttribution(lines[at + more + 1]) ? 1 : 0)
    }
    if (endsSentence(next)) return 0
  }
  return 0
}

// Apple Mail sometimes puts the attribution itself behind the first quote mark.
function opensQuote(lines: string[], at: number, firstOwn: number): boolean {
  return firstOwn !== -1 && firstOwn < at && !/^\s{0,3}>/.test(lines[at - 1] ?? '')
}

function unquoted(line: string): string {
  return line.replace(/^\s{0,3}>\s?/, '').trimStart()
}

function tidy(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
