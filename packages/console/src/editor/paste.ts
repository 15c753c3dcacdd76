import { isSafeAddress } from './source/addresses.ts'
import { isBlank, noMarks, type Block, type Line, type Marks, type Piece } from './source/document.ts'
import { wordLists } from './paste-word.ts'

const ignored: ReadonlySet<string> = new Set(
  'x-script x-style head meta link title template noscript iframe object embed svg math canvas video audio select textarea button'.split(
    ' ',
  ),
)
const blockNames: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)
const headings = /^h[1-6]$/
const depthMax = 100

/**
 * Reads HTML of the clipboard: text with its lines, bold, italic, links, lists, and images that have a web address. Styles, scripts
 * and all other parts are left out.
 */
export function pastedBlocks(html: string): Block[] {
  const { body } = new DOMParser().parseFromString(inert(html), 'text/html')
  wordLists(body)
  const reader = new PasteReader(/p\.MsoNormal[^{]*\{[^}]*margin-bottom:\s*[.\d]*[1-9]/.test(html))
  reader.readChildren(body, noMarks, 0)
  return reader.finished()
}

const tag = /<[a-z][^\s>]*(?:[^>"']|"[^"]*"|'[^']*')*>/gi

/** Renames styles, scripts and handlers, because a browser reports them as breaches of the page's policy even if it only reads. */
function inert(html: string): string {
  return html
    .replaceAll(/<(\/?)(style|script)\b/gi, '<$1x-$2')
    .replaceAll(tag, (written) => written.replaceAll(/([\s"'])(style|on\w+)(?=\s*=)/gi, '$1data-$2'))
}

class PasteReader {
  readonly #blocks: Block[] = []
  readonly #spacedWord: boolean
  #line: Piece[] | null = null
  #wantsBlank = false
  /** Whether a blank line was added before this line. */
  #isAfterAdded = false

  constructor(spacedWord: boolean) {
    this.#spacedWord = spacedWord
  }

  finished(): Block[] {
    this.#endLine()
    return this.#blocks
  }

  readChildren(element: Element, marks: Marks, depth: number): void {
    if (depth > depthMax) return this.#text(element.textContent, marks)
    for (const node of element.childNodes) {
      if (node instanceof Text) this.#text(node.data, marks)
      else if (node instanceof Element) this.#element(node, marks, depth + 1)
    }
  }

  #element(element: Element, marks: Marks, depth: number): void {
    const name = element.localName
    if (ignored.has(name) || /\bdisplay:\s*none\b/i.test(readStyle(element))) return
    const liquid = element.getAttribute('data-liquid')
    if (liquid !== null) return this.#add({ kind: 'liquid', source: liquid, marks })
    if (name === 'br') return this.#break(element)
    if (name === 'img') return this.#image(element, marks)
    if (name === 'ul' || name === 'ol') return this.#list(element, marks, depth)
    if (name === 'td' || name === 'th') this.#text(' ', marks)
    const isBlock = blockNames.has(name)
    const isSpaced = isBlock && this.#isSpaced(element)
    if (isBlock) this.#endLine()
    if (isSpaced) this.#wantsBlank = true
    const before = this.#blocks.length
    this.readChildren(element, readMarks(element, marks), depth)
    if (!isBlock) return
    // An empty paragraph is a blank line.
    if (this.#line === null && this.#blocks.length === before && name !== 'tr') this.#newLine()
    this.#endLine()
    if (isSpaced) this.#wantsBlank = true
  }

  /** Whether a mail program shows a space above and below the element. */
  #isSpaced(element: Element): boolean {
    const name = element.localName
    if (headings.test(name) || name === 'blockquote' || name === 'pre') return true
    if (name !== 'p') return false
    if (element.className.startsWith('Mso')) return this.#spacedWord
    return !/(?:^|[;\s])margin(?:-bottom)?:\s*0/i.test(readStyle(element))
  }

  #list(element: Element, marks: Marks, depth: number): void {
    this.#endLine()
    const items: Block[][] = []
    for (const child of element.children) {
      const inner = new PasteReader(false)
      const isNested = child.localName === 'ul' || child.localName === 'ol'
      if (isNested) inner.#list(child, marks, depth + 1)
      else inner.readChildren(child, readMarks(child, marks), depth + 1)
      const blocks = inner.finished().filter((block, index) => index === 0 || block.kind === 'list' || !isBlank(block))
      // Some programs write a nested list beside its item.
      if (isNested && items.length > 0) items.at(-1)!.push(...blocks)
      else items.push(blocks[0]?.kind === 'line' ? blocks : [{ kind: 'line', pieces: [] }, ...blocks])
    }
    if (items.length > 0) this.#blocks.push({ kind: 'list', ordered: element.localName === 'ol', items })
    this.#wantsBlank = false
  }

  #image(element: Element, marks: Marks): void {
    const of = (name: string): string => element.getAttribute(name) ?? ''
    const sizes = [of('width'), of('height')]
    if (!/^https?:/i.test(of('src')) || sizes.some((size) => /^[01](?:px)?$/.test(size))) return
    const [width = '', height = ''] = sizes.map((size) => (/^\d{1,4}$/.test(size) ? size : ''))
    this.#add({ kind: 'image', src: of('src'), alt: of('alt'), width, height, marks })
  }

  #break(element: Element): void {
    if (element.className === 'Apple-interchange-newline') return
    if (this.#line === null) this.#newLine()
    this.#endLine()
  }

  #text(data: string, marks: Marks): void {
    const text = data.replaceAll(/[ \t\n\r\f]+/g, ' ')
    const last = this.#line?.at(-1)
    const isAfterSpace = last === undefined || (last.kind === 'text' && last.text.endsWith(' '))
    const words = isAfterSpace && text.startsWith(' ') ? text.slice(1) : text
    if (words !== '') this.#add({ kind: 'text', text: words, marks })
  }

  #add(piece: Piece): void {
    this.#newLine()
    this.#line!.push(piece)
  }

  #newLine(): void {
    if (this.#line !== null) return
    const last = this.#blocks.at(-1)
    this.#isAfterAdded = this.#wantsBlank && last?.kind === 'line' && !isBlank(last)
    if (this.#isAfterAdded) this.#blocks.push({ kind: 'line', pieces: [] })
    this.#wantsBlank = false
    this.#line = []
  }

  #endLine(): void {
    if (this.#line === null) return
    const line: Line = { kind: 'line', pieces: trimmed(this.#line) }
    this.#line = null
    // A blank line that a space between paragraphs already made is not repeated.
    if (!isBlank(line) || !this.#isAfterAdded) this.#blocks.push(line)
  }
}

function trimmed(pieces: readonly Piece[]): Piece[] {
  const last = pieces.at(-1)
  if (last?.kind !== 'text') return [...pieces]
  const text = last.text.replace(/[ \u00a0]+$/, '')
  return text === '' ? trimmed(pieces.slice(0, -1)) : [...pieces.slice(0, -1), { ...last, text }]
}

function readStyle(element: Element): string {
  return element.getAttribute('data-style') ?? ''
}

function readMarks(element: Element, { bold, italic, href }: Marks): Marks {
  const name = element.localName
  const weight = /(?:^|[;\s])font-weight:\s*(\w+)/i.exec(readStyle(element))?.[1]
  const slant = /(?:^|[;\s])font-style:\s*(\w+)/i.exec(readStyle(element))?.[1]
  const isBold =
    weight === undefined ? bold || name === 'b' || name === 'strong' || headings.test(name) : isHeavy(weight)
  const isItalic = slant === undefined ? italic || name === 'i' || name === 'em' : slant !== 'normal'
  return { bold: isBold, italic: isItalic, href: name === 'a' ? (linkAddress(element) ?? href) : href }
}

const boldFrom = 600

function isHeavy(weight: string): boolean {
  return weight.startsWith('bold') || Number(weight) >= boldFrom
}

/** The address of a link. Google writes its own address around the addresses in documents. */
function linkAddress(element: Element): string | null {
  const href = element.getAttribute('href')?.trim() ?? ''
  const target = href.startsWith('https://www.google.com/url?') ? new URL(href).searchParams.get('q') : null
  const address = target ?? href
  return isSafeAddress(address) && /^(?:https?|mailto|tel):/i.test(address) ? address : null
}
