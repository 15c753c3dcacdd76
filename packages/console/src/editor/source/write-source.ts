import { isHtml } from '@overture/ground/text/is-html.ts'
import { isBlank, isPlain, toPlainText, type Block, type Line, type List, type Marks } from './document.ts'
import type { Piece, TextDocument } from './document.ts'
import { liquidParts } from './liquid.ts'
import type { SourceSyntax } from './parse-source.ts'

/**
 * Writes a document as the source of a body. The result is plain text if that is enough, lines with inline tags if the document has no
 * list, else block elements.
 */
export function writeSource(document: TextDocument, syntax: SourceSyntax): string {
  const { form, blocks } = document
  const isLines = form === 'lines' && blocks.every(({ kind }) => kind === 'line')
  if (isPlain(document)) {
    const text = toPlainText(document)
    // A typed `<b>` is a text and not a tag, so this text has to be escaped.
    return isHtml(text) ? writeBlocks(document, syntax) : text
  }
  if (!isLines) return writeBlocks(document, syntax)
  const html = blocks.map((block) => writeLine(block as Line, syntax)).join('\n')
  return isHtml(html) ? html : writeBlocks(document, syntax)
}

/** Writes a document with block elements, so that it looks the same wherever HTML is shown. */
export function writeBlocks({ blocks }: TextDocument, syntax: SourceSyntax): string {
  return groupLists(trimmed(blocks))
    .map((run) => (Array.isArray(run) ? writeParagraphs(run, syntax) : writeList(run, syntax)))
    .join('\n')
}

function trimmed(blocks: readonly Block[]): Block[] {
  const isText = (block: Block): boolean => block.kind === 'list' || !isBlank(block)
  const last = blocks.findLastIndex(isText)
  return last < 0 ? [] : blocks.slice(blocks.findIndex(isText), last + 1)
}

/** Lines that follow each other, and the lists between them. */
function groupLists(blocks: readonly Block[]): (Line[] | List)[] {
  const runs: (Line[] | List)[] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (block.kind === 'list') runs.push(block)
    else if (Array.isArray(last)) last.push(block)
    else runs.push([block])
  }
  return runs
}

/** One blank line separates paragraphs. Each further blank line becomes a line break, because mail programs show no empty paragraph. */
function writeParagraphs(run: readonly Line[], syntax: SourceSyntax): string {
  const paragraphs: Line[][] = [[]]
  for (const [index, line] of run.entries()) {
    const isBetween = (at: number): boolean => run[at] !== undefined && !isBlank(run[at])
    if (isBlank(line) && isBetween(index - 1) && isBetween(index + 1)) paragraphs.push([])
    else paragraphs.at(-1)!.push(line)
  }
  return paragraphs.map((lines) => `<p>${writeLines(lines, syntax)}</p>`).join('\n')
}

function writeList({ ordered, items }: List, syntax: SourceSyntax): string {
  const name = ordered ? 'ol' : 'ul'
  const written = items.map((item) => `<li>${writeItem(item, syntax)}</li>`)
  return [`<${name}>`, ...written, `</${name}>`].join('\n')
}

function writeItem(blocks: readonly Block[], syntax: SourceSyntax): string {
  const [first] = blocks
  if (blocks.length === 1 && first?.kind === 'line' && isBlank(first)) return ''
  return groupLists(blocks)
    .map((run, index) => {
      if (!Array.isArray(run)) return `\n${writeList(run, syntax)}\n`
      const isOnlyStart = index === 0 && run.length === 1 && isBlank(run[0]!)
      return isOnlyStart ? '' : writeLines(run, syntax)
    })
    .join('')
}

/** A blank line at the beginning or at the end would not be shown, so it gets a non-breaking space. */
function writeLines(lines: readonly Line[], syntax: SourceSyntax): string {
  const first = lines.findIndex((line) => !isBlank(line))
  const last = lines.findLastIndex((line) => !isBlank(line))
  return lines
    .map((line, index) => (index < first || index > last ? '&nbsp;' : isBlank(line) ? '' : writeLine(line, syntax)))
    .join('<br>\n')
}

type MarkName = keyof Marks
const outermostFirst: readonly MarkName[] = ['href', 'bold', 'italic']
const tags = { href: 'a', bold: 'b', italic: 'i' } as const

function writeLine({ pieces }: Line, syntax: SourceSyntax): string {
  const open: { name: MarkName; value: Marks[MarkName] }[] = []
  const text = new TextWriter()
  let html = ''
  const close = (from: number): void => {
    while (open.length > from) html += `</${tags[open.pop()!.name]}>`
  }
  for (const piece of withoutLastSpaces(pieces)) {
    const wanted = outermostFirst.filter((name) => isSet(piece.marks[name]))
    const same = open.findIndex(({ name, value }, at) => wanted[at] !== name || piece.marks[name] !== value)
    close(same < 0 ? open.length : same)
    for (const name of wanted.slice(open.length)) {
      const value = piece.marks[name]
      open.push({ name, value })
      html += name === 'href' ? `<a href="${attributeValue(String(value), syntax)}">` : `<${tags[name]}>`
    }
    html += text.write(piece, syntax)
  }
  close(0)
  return html
}

/** Spaces at the end of a line are not shown. */
function withoutLastSpaces(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1)
  if (last?.kind !== 'text' || !/[ \t]$/.test(last.text)) return pieces
  const text = last.text.replace(/[ \t]+$/, '')
  const rest = pieces.slice(0, -1)
  return text === '' ? withoutLastSpaces(rest) : [...rest, { ...last, text }]
}

function isSet(mark: Marks[MarkName]): boolean {
  return mark !== false && mark !== null
}

/** Escapes text. HTML shows several spaces as one, and no space at the beginning of a line, so these spaces become non-breaking ones. */
class TextWriter {
  #isAfterSpace = true

  write(piece: Piece, syntax: SourceSyntax): string {
    if (piece.kind === 'text') return Array.from(piece.text, (character) => this.#character(character)).join('')
    this.#isAfterSpace = false
    if (piece.kind === 'liquid') return piece.source
    const { src, alt, width, height } = piece
    const given = Object.entries({ src, alt, width, height }).filter(([name, value]) => name === 'alt' || value !== '')
    return `<img ${given.map(([name, value]) => `${name}="${attributeValue(value, syntax)}"`).join(' ')}>`
  }

  #character(character: string): string {
    const isSpace = character === ' ' || character === '\t'
    const isLasting = character === '\u00a0' || (isSpace && this.#isAfterSpace)
    this.#isAfterSpace = isSpace && !isLasting
    if (isLasting) return '&nbsp;'
    return character === '&' ? '&amp;' : character === '<' ? '&lt;' : character
  }
}

function attributeValue(value: string, { liquid }: SourceSyntax): string {
  const parts = liquid ? liquidParts(value) : [{ kind: 'text' as const, text: value }]
  return parts.map((part) => (part.kind === 'liquid' ? part.source : escaped(part.text))).join('')
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
