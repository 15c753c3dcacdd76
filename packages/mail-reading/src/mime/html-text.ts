import { decodeEntities } from './html-entities.ts'
import { sequence } from '@overture/ground/text/patterns.ts'

/** The limit of one HTML body. The rest is cut. */
const htmlLimit = 1024 * 1024
const depthLimit = 200

const hidden = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'object'])
const breaks = new Set(['br', 'hr'])
const blocks = new Set([
  'p',
  'div',
  'blockquote',
  'table',
  'tr',
  'ul',
  'ol',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'section',
  'article',
  'header',
  'footer',
  'center',
  'dl',
  'dt',
  'dd',
  'address',
  'form',
])
const spaced = new Set(['p', 'blockquote', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'table'])
const empty = new Set(['br', 'hr', 'img', 'meta', 'link', 'input', 'base', 'col', 'area', 'wbr'])

/** Classes and ids that mail programs put around the quoted message. */
const quoteMarks = sequence(
  [
    /\b/,
    [
      /gmail_quote(?!_attribution)|gmail_attr|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote/,
      /zmail_extra|divRplyFwdMsg|OLK_SRC_BODY_SECTION|mail-quote-collapse|mailru-blockquote/,
      /ms-outlook-mobile-reference-message|isReplyContent|replybody|ydp[\w-]{0,20}yahoo_quoted/,
    ],
    /\b/,
  ],
  'i',
)
/** After these, everything to the end is the quoted message. */
const quoteStarts =
  /\b(?:divRplyFwdMsg|OLK_SRC_BODY_SECTION|appendonsend|ms-outlook-mobile-reference-message|mail-editor-reference-message-container)\b/i

/** Classes that mail programs put around a signature that they add automatically. */
const signatureMarks = /\b(?:gmail_signature(?!_prefix)|ms-outlook-mobile-signature|protonmail_signature_block(?!-))\b/i

interface Open {
  name: string
  quotes: boolean
  signs: boolean
  hides: boolean
}

/**
 * Converts HTML to the text that a reader sees: one line per block, quoted parts with `> ` in front. Time is linear in the
 * length, the depth is bounded, and no markup makes it throw.
 */
export function htmlToText(html: string): string {
  const out = new TextLines()
  const stack: Open[] = []
  const source = html.length > htmlLimit ? html.slice(0, htmlLimit) : html
  let at = 0
  while (at < source.length) {
    const open = source.indexOf('<', at)
    const end = open === -1 ? source.length : open
    if (end > at && !stack.some((one) => one.hides))
      out.text(
        decodeEntities(source.slice(at, end)),
        stack.some((one) => one.name === 'pre'),
      )
    if (open === -1) break
    at = readTag({ source, open, stack, out })
  }
  return out.finish()
}

function readTag({
  source,
  open,
  stack,
  out,
}: {
  source: string
  open: number
  stack: Open[]
  out: TextLines
}): number {
  if (source.startsWith('<!--', open)) {
    const close = source.indexOf('-->', open + 4)
    return close === -1 ? source.length : close + 3
  }
  const tag = /^<(\/?)([a-zA-Z][\w:-]{0,40})/.exec(source.slice(open, open + 50))
  if (tag === null && !/^<[!?]/.test(source.slice(open, open + 2))) {
    out.text('<', false)
    return open + 1
  }
  const close = source.indexOf('>', open)
  if (close === -1) return source.length
  if (tag === null) return close + 1
  const name = tag[2]!.toLowerCase()
  if (tag[1] === '/') closeTag(name, stack, out)
  else
    openTag({
      name,
      attributes: source.slice(open + tag[0].length, Math.min(close, open + 2_000)),
      following: source.slice(close + 1, close + 400),
      stack,
      out,
    })
  if (tag[1] !== '/' && (name === 'script' || name === 'style')) {
    const after = source.indexOf(`</${tag[2]}`, close)
    stack.pop()
    return after === -1 ? source.length : after
  }
  return close + 1
}

function openTag({
  name,
  attributes,
  following,
  stack,
  out,
}: {
  name: string
  attributes: string
  /** The markup after the tag. */
  following: string
  stack: Open[]
  out: TextLines
}): void {
  // Gmail's block contains the attribution and the quotes, and between them the replies that were written there.
  const holdsAnswers =
    (/\bgmail_quote\b/.test(attributes) && name === 'div' && following.includes('gmail_attr')) ||
    (/\bgmail_attr\b/.test(attributes) && /^(?:\s|<[^<>]{0,200}>){0,20}-{4}/.test(following))
  if (quoteStarts.test(attributes)) out.mark()
  if (breaks.has(name)) return name === 'hr' ? out.rule() : out.break()
  if (empty.has(name)) return
  if (blocks.has(name)) out.block(spaced.has(name))
  if (name === 'td' || name === 'th') out.text(' ', false)
  if (name === 'li') out.text('- ', false)
  const quotes = (name === 'blockquote' && !isIndent(attributes)) || (quoteMarks.test(attributes) && !holdsAnswers)
  const signs = signatureMarks.test(attributes) && !stack.some((one) => one.signs || one.quotes)
  if (stack.length < depthLimit)
    stack.push({ name, quotes, signs, hides: hidden.has(name) || /display\s*:\s*none/i.test(attributes) })
  if (signs) out.signature('begin')
  if (quotes) out.quote(1)
}

function closeTag(name: string, stack: Open[], out: TextLines): void {
  const at = stack.findLastIndex((one) => one.name === name)
  if (at === -1) return
  for (const closed of stack.splice(at)) {
    if (closed.quotes) out.quote(-1)
    if (closed.signs) out.signature('end')
  }
  if (blocks.has(name)) out.block(spaced.has(name))
}

// Gmail and Outlook write an indented paragraph of the author's own as a blockquote with a margin.
function isIndent(attributes: string): boolean {
  return (
    /margin(?:-left)?\s*:\s*[^;"]{0,20}40px/i.test(attributes) &&
    !/cite|border-left|gmail_quote|type=/i.test(attributes)
  )
}

class TextLines {
  readonly #lines: string[] = []
  /** The pieces of the line that is being written. They are joined once, because reading a growing string copies all of it each time. */
  #pieces: string[] = []
  #endsInSpace = true
  #depth = 0
  #signed: { from: number; to: number } | null = null

  text(text: string, keepsSpaces: boolean): void {
    if (keepsSpaces) {
      for (const [at, line] of text.split('\n').entries()) {
        if (at > 0) this.break()
        this.#add(line)
      }
      return
    }
    const flat = text.replace(/[ \t\n\f\r]+/g, ' ')
    this.#add(this.#endsInSpace ? flat.replace(/^ /, '') : flat)
  }

  break(): void {
    this.#endLine(this.#pieces.join(''))
  }

  block(spaced: boolean): void {
    const line = this.#pieces.join('')
    if (line.trim() === '') this.#pieces = []
    else this.#endLine(line)
    this.#endsInSpace = true
    if (spaced && this.#lines.length > 0 && !/^[> ]*$/.test(this.#lines.at(-1)!)) this.#lines.push(this.#prefixed(''))
  }

  rule(): void {
    this.block(false)
    this.#lines.push(this.#prefixed('________________________________'))
  }

  /** Adds a line that the quote rules read as the start of the quoted message. */
  mark(): void {
    this.block(false)
    // A horizontal rule above it belongs to the quoted message.
    while (/^_{32}$|^$/.test(this.#lines.at(-1) ?? '-')) this.#lines.pop()
    this.#lines.push(this.#prefixed('-----Original Message-----'))
  }

  quote(by: 1 | -1): void {
    this.block(false)
    this.#depth = Math.max(0, this.#depth + by)
  }

  /** Records the lines of the first signature. */
  signature(edge: 'begin' | 'end'): void {
    this.block(false)
    if (edge === 'begin') this.#signed ??= { from: this.#lines.length, to: Number.POSITIVE_INFINITY }
    else if (this.#signed?.to === Number.POSITIVE_INFINITY) this.#signed.to = this.#lines.length
  }

  // Only quotes may follow a signature. If the writer's own text follows, the signature is not marked.
  #markSignature(): void {
    if (this.#signed === null) return
    const { from, to } = this.#signed
    const after = this.#lines.slice(to)
    const end = after.findIndex((line) => line.startsWith('-----') || line.startsWith('_____'))
    const ended = (end === -1 ? after : after.slice(0, end)).every((line) => /^(?:>|\s*$)/.test(line))
    const marked = this.#lines.slice(0, from).some((line) => /^-- ?$/.test(line))
    if (ended && !marked) this.#lines.splice(from, 0, '-- ')
  }

  finish(): string {
    this.block(false)
    this.#markSignature()
    return this.#lines
      .join('\n')
      .replaceAll('\u00a0', ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #add(text: string): void {
    if (text === '') return
    this.#pieces.push(text)
    this.#endsInSpace = text.endsWith(' ')
  }

  #endLine(line: string): void {
    this.#lines.push(this.#prefixed(line.trimEnd()))
    this.#pieces = []
    this.#endsInSpace = true
  }

  #prefixed(line: string): string {
    if (this.#depth === 0) return line
    return `${'>'.repeat(Math.min(this.#depth, 20))} ${line}`.trimEnd()
  }
}
