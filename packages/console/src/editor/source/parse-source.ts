import { isHtml } from '@overture/ground/text/is-html.ts'
import { isSafeAddress } from './addresses.ts'
import { noMarks, type Block, type Line, type Marks, type Piece, type TextDocument } from './document.ts'
import { htmlTokens, type HtmlToken } from './html-tokens.ts'
import { liquidParts, parseVariable } from './liquid.ts'

export interface SourceSyntax {
  /** Whether the text is a template. Signatures and replies are not. */
  liquid: boolean
}

/** Either a document, or the part of the source that the editor can't show. */
export type ParsedSource = { kind: 'document'; document: TextDocument } | { kind: 'source'; because: string }

/** Reads the source of a body into the document that the editor shows. */
export function parseSource(source: string, syntax: SourceSyntax): ParsedSource {
  const text = source.replaceAll('\r\n', '\n')
  if (!isHtml(text)) return { kind: 'document', document: { form: 'lines', blocks: plainLines(text, syntax) } }
  const tokens = htmlTokens(text, syntax)
  if (tokens === null) return { kind: 'source', because: '' }
  try {
    return { kind: 'document', document: new Reader(tokens).read() }
  } catch (error) {
    if (error instanceof UnknownPart) return { kind: 'source', because: error.written }
    throw error
  }
}

/** The lines of a text without HTML. */
export function plainLines(text: string, { liquid }: SourceSyntax): Line[] {
  const lines: Line[] = [{ kind: 'line', pieces: [] }]
  const parts = liquid ? liquidParts(text) : [{ kind: 'text' as const, text }]
  for (const part of parts) {
    if (part.kind === 'liquid') {
      lines.at(-1)!.pieces.push({ ...part, marks: noMarks })
      continue
    }
    const [first = '', ...rest] = part.text.split('\n')
    for (const [index, words] of [first, ...rest].entries()) {
      if (index > 0) lines.push({ kind: 'line', pieces: [] })
      if (words !== '') lines.at(-1)!.pieces.push({ kind: 'text', text: words, marks: noMarks })
    }
  }
  return lines
}

class UnknownPart extends Error {
  override readonly name = 'UnknownPart'
  readonly written: string

  constructor(written: string) {
    super('The editor does not know a part of this text.')
    this.written = written
  }
}

const markNames: Readonly<Record<string, 'bold' | 'italic'>> = { b: 'bold', strong: 'bold', i: 'italic', em: 'italic' }
const blockNames: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'li'])
const imageAttributes: ReadonlySet<string> = new Set(['src', 'alt', 'width', 'height'])

/** Reads tokens of HTML strictly: each tag that is unknown or at an unusual place ends the reading. */
class Reader {
  readonly #tokens: readonly HtmlToken[]
  readonly #form: TextDocument['form']
  #at = 0

  constructor(tokens: readonly HtmlToken[]) {
    this.#tokens = tokens
    const hasBlocks = tokens.some((one) => one.kind === 'open' && blockNames.has(one.name))
    this.#form = hasBlocks ? 'blocks' : 'lines'
  }

  read(): TextDocument {
    const blocks = this.#form === 'lines' ? this.#lines(null) : this.#paragraphs()
    return { form: this.#form, blocks: blocks.length === 0 ? [{ kind: 'line', pieces: [] }] : blocks }
  }

  #paragraphs(): Block[] {
    const blocks: Block[] = []
    let isAfterParagraph = false
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token.kind === 'space' || token.kind === 'lineBreak') continue
      if (token.kind !== 'open') throw new UnknownPart(tokenSource(token))
      if (token.name === 'ul' || token.name === 'ol') {
        blocks.push(this.#list(token))
        isAfterParagraph = false
        continue
      }
      if (token.name !== 'p' || hasAttributes(token)) throw new UnknownPart(token.written)
      const lines = withoutLastBreak(this.#lines('p'))
      if (lines.length === 0) continue
      if (isAfterParagraph) blocks.push({ kind: 'line', pieces: [] })
      blocks.push(...lines)
      isAfterParagraph = true
    }
    return blocks
  }

  #list(opened: OpenTag): Block {
    if (hasAttributes(opened)) throw new UnknownPart(opened.written)
    const items: Block[][] = []
    for (let token = this.#next(); ; token = this.#next()) {
      if (token === undefined) throw new UnknownPart(opened.written)
      if (token.kind === 'space' || token.kind === 'lineBreak') continue
      if (token.kind === 'close' && token.name === opened.name) break
      if (token.kind !== 'open' || token.name !== 'li' || hasAttributes(token))
        throw new UnknownPart(tokenSource(token))
      items.push(this.#item())
    }
    if (items.length === 0) throw new UnknownPart(opened.written)
    return { kind: 'list', ordered: opened.name === 'ol', items }
  }

  #item(): Block[] {
    const blocks: Block[] = []
    for (;;) {
      blocks.push(...withoutLastBreak(this.#lines('li')))
      const token = this.#tokens[this.#at - 1]!
      if (token.kind === 'close') break
      if (blocks.length === 0) blocks.push({ kind: 'line', pieces: [] })
      blocks.push(this.#list(token as OpenTag))
    }
    return blocks.length === 0 ? [{ kind: 'line', pieces: [] }] : blocks
  }

  /** Reads up to the end of this element, or up to a list in an item. */
  #lines(element: 'p' | 'li' | null): Line[] {
    const lines = new LineReader(this.#form === 'lines')
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      const isEnd = token.kind === 'close' && token.name === element
      const isList = element === 'li' && token.kind === 'open' && (token.name === 'ul' || token.name === 'ol')
      if (isEnd || isList) return lines.finished(tokenSource(token))
      lines.take(token)
    }
    if (element !== null) throw new UnknownPart(`<${element}>`)
    return lines.finished('')
  }

  #next(): HtmlToken | undefined {
    return this.#tokens[this.#at++]
  }
}

type OpenTag = Extract<HtmlToken, { kind: 'open' }>

function hasAttributes({ attributes }: OpenTag): boolean {
  return Object.keys(attributes).length > 0
}

function tokenSource(token: HtmlToken): string {
  switch (token.kind) {
    case 'text':
      return token.text
    case 'liquid':
      return token.source
    case 'space':
    case 'lineBreak':
      return ' '
    case 'open':
    case 'close':
    case 'other':
      return token.written
  }
}

/** A line break at the end of a block is not shown. */
function withoutLastBreak(lines: Line[]): Line[] {
  return lines.length > 1 && lines.at(-1)!.pieces.length === 0 ? lines.slice(0, -1) : lines
}

/** Reads the content of lines: text, formatting, links, images and Liquid. */
class LineReader {
  readonly #lines: Line[] = []
  readonly #open: string[] = []
  readonly #breaksCount: boolean
  #href: { address: string; isEmpty: boolean } | null = null
  /** A line break of the source after `<br>` is not a second one. After a tag of Liquid it depends on what the tag prints. */
  #afterBreak: 'no' | 'directly' | 'after Liquid' = 'no'

  constructor(breaksCount: boolean) {
    this.#breaksCount = breaksCount
  }

  take(token: HtmlToken): void {
    const after = this.#afterBreak
    if (token.kind !== 'space') this.#afterBreak = 'no'
    switch (token.kind) {
      case 'text':
        return this.#add({ kind: 'text', text: token.text, marks: this.#marks() })
      case 'space':
        return this.#space()
      case 'lineBreak':
        if (!this.#breaksCount) return this.#space()
        if (after === 'after Liquid') throw new UnknownPart('<br>')
        if (after === 'no') this.#newLine()
        return
      case 'liquid':
        if (/<\/?[a-z!]/i.test(token.source)) throw new UnknownPart(token.source)
        if (after !== 'no' && !printsText(token.source)) this.#afterBreak = 'after Liquid'
        return this.#add({ kind: 'liquid', source: token.source, marks: this.#marks() })
      case 'open':
        return this.#opened(token)
      case 'close':
        return this.#closed(token.name, token.written)
      case 'other':
        throw new UnknownPart(token.written)
    }
  }

  finished(written: string): Line[] {
    if (this.#open.length > 0) throw new UnknownPart(written === '' ? `<${this.#open.at(-1)}>` : written)
    for (const { pieces } of this.#lines) trimEnd(pieces)
    return this.#lines
  }

  #opened({ name, attributes, written }: OpenTag): void {
    const names = Object.keys(attributes)
    if (name === 'br' && names.length === 0) {
      this.#newLine()
      this.#afterBreak = 'directly'
    } else if (name === 'img' && attributes['src'] && names.every((one) => imageAttributes.has(one))) {
      const { src, alt = '', width = '', height = '' } = attributes
      this.#add({ kind: 'image', src, alt, width, height, marks: this.#marks() })
    } else if (name === 'a' && names.length === 1 && isSafeAddress(attributes['href']) && this.#href === null) {
      this.#href = { address: attributes['href'], isEmpty: true }
      this.#open.push(name)
    } else if (markNames[name] !== undefined && names.length === 0) this.#open.push(name)
    else throw new UnknownPart(written)
  }

  #closed(name: string, written: string): void {
    if (this.#open.pop() !== name) throw new UnknownPart(written)
    if (name !== 'a') return
    if (this.#href?.isEmpty !== false) throw new UnknownPart(written)
    this.#href = null
  }

  #marks(): Marks {
    const has = (mark: string): boolean => this.#open.some((name) => markNames[name] === mark)
    return { bold: has('bold'), italic: has('italic'), href: this.#href?.address ?? null }
  }

  #line(): Line {
    if (this.#lines.length === 0) this.#lines.push({ kind: 'line', pieces: [] })
    return this.#lines.at(-1)!
  }

  #newLine(): void {
    this.#line()
    this.#lines.push({ kind: 'line', pieces: [] })
  }

  #add(piece: Piece): void {
    if (this.#href !== null) this.#href.isEmpty = false
    const { pieces } = this.#line()
    const last = pieces.at(-1)
    if (piece.kind === 'text' && last?.kind === 'text' && sameMarks(piece.marks, last.marks)) last.text += piece.text
    else pieces.push(piece)
  }

  /** Spaces of HTML are one space, and none at the beginning of a line. */
  #space(): void {
    const last = this.#lines.at(-1)?.pieces.at(-1)
    if (last === undefined || (last.kind === 'text' && last.text.endsWith(' '))) return
    this.#add({ kind: 'text', text: ' ', marks: this.#marks() })
  }
}

function printsText(source: string): boolean {
  const variable = parseVariable(source)
  return variable !== null && variable.fallback?.trim() !== ''
}

function trimEnd(pieces: Piece[]): void {
  const last = pieces.at(-1)
  if (last?.kind !== 'text' || !last.text.endsWith(' ')) return
  last.text = last.text.slice(0, -1)
  if (last.text === '') pieces.pop()
}

function sameMarks(a: Marks, b: Marks): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.href === b.href
}
