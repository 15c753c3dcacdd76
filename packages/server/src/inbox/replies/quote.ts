import { kindsOf, quotedAttributionLength } from './quote-lines.ts'
import type { Kind, Line } from './quote-lines.ts'
import { isAttribution, isRule, replyLine } from './quote-marks.ts'
import { withoutResidues } from './quote-residues.ts'

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

/** Takes apart a plain-text body: top-, bottom- and interleaved answers, in any of many languages. */
export function splitReply(body: string): ReplyText {
  const all = body.replace(/\u200b|\ufeff/g, '').split('\n')
  const rest = all.slice(lineLimit)
  const { lines, residues } = withoutResidues(told(kindsOf(all.slice(0, lineLimit).map((line) => line.trimEnd()))))
  const { own, quoted: foreign } = ownLines(lines)
  const { kept, rules } = withoutLastRules(withoutInner(own))
  const { text, signature } = withoutSignature(kept)
  const quoted = [...rules, ...foreign, ...residues]
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
  return {
    own: kept,
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

// Answers between quoted lines need the words that they answer, not who wrote those and when.
function withoutInner(lines: Line[]): Line[] {
  const out: Line[] = []
  for (let at = 0; at < lines.length;) {
    const inner = lines[at]!.kind === 'quote' ? quotedAttributionLength(lines, at) : 0
    if (inner === 0 && lines[at]!.kind !== 'attribution') out.push(lines[at]!)
    at += Math.max(1, inner)
  }
  return out
}

// A rule below the text divides it from what was taken away.
function withoutLastRules(lines: Line[]): { kept: Line[]; rules: string[] } {
  let end = lines.length
  let rule = lines.length
  while (end > 0 && (lines[end - 1]!.kind === 'blank' || isRule(lines[end - 1]!.text))) {
    end--
    if (lines[end]!.kind !== 'blank') rule = end
  }
  return { kept: lines.slice(0, rule), rules: textsOf(lines.slice(rule)) }
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

function tidy(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
