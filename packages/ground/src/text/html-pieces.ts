import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { decodeHTMLAttribute } from 'entities'

/** A piece of text between tags, by its place in the source. */
interface TextPiece {
  start: number
  end: number
  /** Line breaks are significant, as in `pre`, scripts and styles. */
  isVerbatim: boolean
  /** The piece is outside links, code and scripts, so a web address in it is not a link yet. */
  isPlain: boolean
  /** The piece directly follows a tag that breaks the line. */
  isAfterBreak: boolean
}

/** The value of an address attribute, without its quotes. */
interface AddressPlace {
  start: number
  end: number
  /** As a browser reads it: entities decoded, line breaks and outer spaces removed. */
  address: string
}

interface HtmlPieces {
  texts: TextPiece[]
  /** The links of `a` and `area` elements, in order. */
  links: AddressPlace[]
  /** Whether the source has a block element or is a whole document. */
  hasBlocks: boolean
}

const blocks: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'caption',
  'center',
  'col',
  'colgroup',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'head',
  'header',
  'hgroup',
  'html',
  'li',
  'link',
  'listing',
  'main',
  'menu',
  'meta',
  'nav',
  'ol',
  'p',
  'plaintext',
  'pre',
  'search',
  'section',
  'style',
  'summary',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'title',
  'tr',
  'ul',
  'xmp',
])
const verbatim: ReadonlySet<string> = new Set(['pre', 'script', 'style', 'textarea', 'title', 'xmp'])
const linked: ReadonlySet<string> = new Set([
  'a',
  'button',
  'code',
  'head',
  'kbd',
  'object',
  'option',
  'samp',
  'select',
  'svg',
  'template',
])
const breaks: ReadonlySet<string> = new Set(['br', 'hr'])
const linking: ReadonlySet<string> = new Set(['a', 'area'])

/** Finds the pieces of HTML by their position in the source, in a single pass over any source. */
export function readHtmlPieces(source: string): HtmlPieces {
  const reader = new PieceReader(source)
  const tokenizer = new Tokenizer({ decodeEntities: false }, reader)
  tokenizer.write(source)
  tokenizer.end()
  return reader.pieces
}

class PieceReader implements TokenizerCallbacks {
  readonly pieces: HtmlPieces = { texts: [], links: [], hasBlocks: false }
  readonly #source: string
  /** The number of open elements that change how text is read, by name. */
  readonly #open = new Map<string, number>()
  #verbatimOpen = 0
  #linkedOpen = 0
  #tag = ''
  #attribute = ''
  #value: { start: number; end: number } | null = null
  #link: AddressPlace | null = null
  #isAfterBreak = false

  constructor(source: string) {
    this.#source = source
  }

  ontext(start: number, end: number): void {
    const isVerbatim = this.#verbatimOpen > 0
    const isPlain = !isVerbatim && this.#linkedOpen === 0
    this.pieces.texts.push({ start, end, isVerbatim, isPlain, isAfterBreak: this.#isAfterBreak })
    this.#isAfterBreak = false
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#source.slice(start, end).toLowerCase()
    this.#link = null
    this.#isAfterBreak = breaks.has(this.#tag)
    if (blocks.has(this.#tag)) this.pieces.hasBlocks = true
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#source.slice(start, end).toLowerCase()
    this.#value = null
  }

  onattribdata(start: number, end: number): void {
    this.#value = { start: this.#value?.start ?? start, end }
  }

  // If an attribute is repeated, the first one counts.
  onattribend(): void {
    if (this.#attribute !== 'href' || this.#value === null || this.#link !== null || !linking.has(this.#tag)) return
    const { start, end } = this.#value
    this.#link = { start, end, address: cleanAddress(this.#source.slice(start, end)) }
  }

  onopentagend(): void {
    if (this.#link !== null) this.pieces.links.push(this.#link)
    this.#link = null
    this.#count(this.#tag, 1)
  }

  // HTML has no self-closing elements: `<a/>` opens a link.
  onselfclosingtag(): void {
    this.onopentagend()
  }

  onclosetag(start: number, end: number): void {
    this.#isAfterBreak = false
    this.#count(this.#source.slice(start, end).toLowerCase(), -1)
  }

  #count(name: string, change: 1 | -1): void {
    const isVerbatim = verbatim.has(name)
    const isLinked = linked.has(name)
    if (!isVerbatim && !isLinked) return
    const open = this.#open.get(name) ?? 0
    if (open + change < 0) return
    // A second `a` closes the first.
    if (name === 'a' && open + change > 1) return
    this.#open.set(name, open + change)
    if (isVerbatim) this.#verbatimOpen += change
    if (isLinked) this.#linkedOpen += change
  }

  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}
}

// Follows the browsers: https://url.spec.whatwg.org/#concept-basic-url-parser, steps 1 to 3.
function cleanAddress(raw: string): string {
  return trimControls(decodeHTMLAttribute(raw)).replaceAll(/[\t\n\r]/g, '')
}

// Trims with two loops. A regular expression for the end would start again at every space, which takes quadratic time.
function trimControls(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1
  return text.slice(start, end)
}
