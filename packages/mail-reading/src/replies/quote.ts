import { classifyLines, quotedAttributionLength } from './quote-lines.ts'
import type { Kind, Line } from './quote-lines.ts'
import { isAttribution, isRule, replyLine } from './quote-marks.ts'
import { withoutResidues } from './quote-residues.ts'

/** The parts of a message's body. Together they contain every line that a person wrote. */
export interface ReplyText {
  /** The new text. Replies between quoted lines keep the lines that they reply to. */
  text: string
  quoted: string
  signature: string
}

const lineLimit = 20_000
const signatureLinesMax = 14
/** A text that fits into one line of this length is not wrapped. */
const wrappedChars = 60

/** Splits a plain-text body, with replies at the top, at the bottom or in between, in many languages. */
export function splitReply(body: string): ReplyText {
  const all = body.replace(/\u200b|\ufeff/g, '').split('\n')
  const rest = all.slice(lineLimit)
  const { lines, residues } = withoutResidues(
    withoutReportedSpeech(classifyLines(all.slice(0, lineLimit).map((line) => line.trimEnd()))),
  )
  const { own, quoted: foreign } = ownLines(lines)
  const { kept, rules } = withoutLastRules(withoutInner(own))
  const { text, signature } = withoutSignature(kept)
  const quoted = [...rules, ...foreign, ...residues]
  if (text.trim() === '') return nothingNew(lines, quoted, signature)
  return { text: tidy(text), quoted: tidy([...quoted, ...rest].join('\n')), signature: tidy(signature) }
}

/** The new text without quoted lines in it, which is searched for opt-outs. */
export function ownWords(reply: ReplyText): string {
  return reply.text
    .split('\n')
    .filter((line) => !/^\s{0,3}(?:>|\|\s)/.test(line))
    .join('\n')
    .trim()
}

// If nothing is left, the quoted text is returned as new, so that nothing a person wrote is lost.
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
    return { own: lines.slice(0, foreign), quoted: lineTexts(lines.slice(foreign)) }
  }
  const after = bottomPosted(lines)
  if (after !== null) return { own: lines.slice(after), quoted: lineTexts(lines.slice(0, after)) }
  const end = topPosted(lines)
  const head = lines.slice(0, end)
  const tail = trailingQuote(head)
  const kept = head.slice(0, tail)
  return {
    own: kept,
    quoted: [...lineTexts(kept.filter((line) => line.kind === 'attribution')), ...lineTexts(lines.slice(tail))],
  }
}

/** The line where the new text begins below one quoted message, or null. */
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
  // Replies between quoted lines can't be understood without the first of these lines.
  const between = rest.findIndex((line) => line.kind === 'quote')
  if (quotes && between !== -1 && rest.slice(between).some((line) => line.kind === 'text'))
    return lines.findIndex(
      (line) => line.kind !== 'blank' && line.kind !== 'attribution' && !quotesAttribution(line.text),
    )
  // Without quote marks the end of the quoted part is unknown, so only the attribution is removed.
  if (!quotes) return lines.findIndex((line) => line.kind !== 'blank' && line.kind !== 'attribution')
  return at
}

function quotesAttribution(text: string): boolean {
  return isAttribution(text.replace(/^[\s>|]+/, ''))
}

/** The line where the quoted message begins below the new text, or the number of lines if there is none. */
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

// "On 12 March Bob wrote:" is text of the writer, who reports what another person said, if it has no address and no time, and
// the lines below it are quoted only under a later attribution.
function withoutReportedSpeech(lines: Line[]): Line[] {
  let followedBy: Kind | null = null
  let quotesBelow = false
  // Goes through the lines from the last to the first, so that each line knows the kinds of the lines below it.
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

// Counts replies below an attribution: text lines between or after quoted ones. It is 0 if no line is marked as quoted.
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
    // A short line directly below a long quoted one is the rest of that line, which the mail program wrapped.
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

/** The line where the quoted part at the end begins, also above a signature. The number of lines if there is none. */
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
    // A signature may follow the quoted part.
    length = end - 1
    while (length > 0 && lines[length]!.kind !== 'mark') length--
  }
  return lines.length
}

// Replies between quoted lines need the quoted words, but not their attributions.
function withoutInner(lines: Line[]): Line[] {
  const out: Line[] = []
  for (let at = 0; at < lines.length;) {
    const inner = lines[at]!.kind === 'quote' ? quotedAttributionLength(lines, at) : 0
    if (inner === 0 && lines[at]!.kind !== 'attribution') out.push(lines[at]!)
    at += Math.max(1, inner)
  }
  return out
}

// A rule below the text separates it from the removed part.
function withoutLastRules(lines: Line[]): { kept: Line[]; rules: string[] } {
  let end = lines.length
  let rule = lines.length
  while (end > 0 && (lines[end - 1]!.kind === 'blank' || isRule(lines[end - 1]!.text))) {
    end--
    if (lines[end]!.kind !== 'blank') rule = end
  }
  return { kept: lines.slice(0, rule), rules: lineTexts(lines.slice(rule)) }
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
  return { text: lineTexts(lines.slice(0, from)).join('\n'), signature: lineTexts(lines.slice(from)).join('\n') }
}

/** The first signature mark that is followed by at most as many lines as a signature has. -1 if there is none. */
function signatureMark(lines: Line[]): number {
  let found = -1
  for (let at = lines.length - 1, below = 0; at >= 0 && below <= signatureLinesMax; at--) {
    if (lines[at]!.kind === 'mark') found = at
    if (lines[at]!.kind !== 'blank') below++
  }
  return found
}

function lineTexts(lines: Line[]): string[] {
  return lines.map((line) => line.text)
}

function tidy(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
