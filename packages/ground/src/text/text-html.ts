import { compile } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { readHtmlPieces } from './html-pieces.ts'

/** The deepest nesting of elements: more than any mail has, and few enough to be processed recursively. */
const depthMax = 200

const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** The HTML is nested too deeply to be converted to text. */
export class NestingError extends RangeError {
  override readonly name = 'NestingError'
}

/** The plain-text part of an HTML body. Links keep their address in brackets. Throws `NestingError`. */
export function htmlToText(html: string): string {
  if (isTooDeep(html)) throw new NestingError('The HTML is nested too deeply.')
  return toText(html).replaceAll('\u00a0', ' ').trim()
}

// Uses the parser of the conversion. The conversion gets ever slower with depth, so the check stops at the limit.
function isTooDeep(html: string): boolean {
  let depth = 0
  let isOver = false
  const parser = new Parser({
    onopentag() {
      depth += 1
      if (depth <= depthMax) return
      isOver = true
      parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.write(html)
  return isOver
}

/** The HTML part of a plain-text body, with paragraphs, line breaks and links. */
export function textToHtml(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${linkedText(paragraph, escapeHtml).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')
}

/**
 * Both parts of a body with tags. Without a block element, a person typed the body as lines, and each line break counts. A typed
 * web address becomes a link in the HTML part. Throws `NestingError`.
 */
export function partsOfHtml(body: string): { text: string; html: string } {
  const html = withTypedLines(body)
  return { text: htmlToText(html), html: withTypedLinks(html) }
}

function withTypedLines(html: string): string {
  if (!html.includes('\n')) return html
  const { texts, hasBlocks } = readHtmlPieces(html)
  if (hasBlocks) return html
  return replaceTexts(html, texts, (text, { isVerbatim, isAfterBreak }) => {
    if (isVerbatim) return text
    // The line break after `<br>` belongs to the source and is not a second one.
    const own = isAfterBreak ? (/^[ \t]*\n/.exec(text)?.[0] ?? '') : ''
    return own + text.slice(own.length).replaceAll('\n', '<br>\n')
  })
}

function withTypedLinks(html: string): string {
  if (!mayHaveAddress.test(html)) return html
  return replaceTexts(html, readHtmlPieces(html).texts, (text, { isPlain }) =>
    isPlain ? linkedText(text, (same) => same) : text,
  )
}

type Texts = ReturnType<typeof readHtmlPieces>['texts']

function replaceTexts(html: string, texts: Texts, change: (text: string, piece: Texts[number]) => string): string {
  let changed = ''
  let from = 0
  for (const piece of texts) {
    changed += html.slice(from, piece.start) + change(html.slice(piece.start, piece.end), piece)
    from = piece.end
  }
  return changed + html.slice(from)
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

export function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

const mayHaveAddress = /https?:\/\/|www\./i
const webAddress = /(?:(?<![A-Za-z0-9])https?:\/\/|(?<![\w@/.-])www\.(?=[\p{L}\p{N}-]+\.))[^\s<>"']+/giu
/** In HTML text, an address ends before an entity of a character that can't be part of it. */
const escapedEnd = /&(?:lt|gt|quot|apos|nbsp|#0*(?:34|39|60|62|160)|#x0*(?:22|27|3c|3e|a0));/i
const sentenceEnd = new Set(['.', ',', ';', ':', '!', '?', ')', ']', '}', '\u2019', '\u201d'])

/** The text with its web addresses as links. `escape` converts the remaining text to HTML. */
function linkedText(text: string, escape: (part: string) => string): string {
  let html = ''
  let from = 0
  for (const match of text.matchAll(webAddress)) {
    const address = addressIn(match[0], escape === escapeHtml)
    if (!/[\p{L}\p{N}]/u.test(address.slice(address.indexOf('//') + 1))) continue
    const shown = escape(address)
    const target = /^www\./i.test(address) ? `https://${shown}` : shown
    html += `${escape(text.slice(from, match.index))}<a href="${target}">${shown}</a>`
    from = match.index + address.length
  }
  return html + escape(text.slice(from))
}

// Punctuation at the end of a sentence is not part of the address, and neither is a bracket that the address did not open.
function addressIn(found: string, isPlainText: boolean): string {
  const cut = isPlainText ? -1 : found.search(escapedEnd)
  const whole = cut < 0 ? found : found.slice(0, cut)
  let end = whole.length
  let unopened = brackets(whole)
  while (end > 0 && sentenceEnd.has(whole[end - 1]!)) {
    if (whole[end - 1] === ')') {
      if (unopened <= 0) break
      unopened -= 1
    }
    // The semicolon of an entity belongs to the address.
    if (!isPlainText && whole[end - 1] === ';' && /&#?\w{1,31};$/.test(whole.slice(Math.max(0, end - 34), end))) break
    end -= 1
  }
  return whole.slice(0, end)
}

function brackets(text: string): number {
  let unopened = 0
  for (const letter of text) unopened += letter === ')' ? 1 : letter === '(' ? -1 : 0
  return unopened
}
