import { isPlain, toPlainText, type Block, type Piece, type TextDocument } from './document.ts'
import { parseSource } from './parse-source.ts'
import { writeBlocks } from './write-source.ts'

const literal = { liquid: false }
const webAddress = /(?<![\w@/.-])(https?:\/\/[^\s<>"']+|www\.[\p{L}\p{N}-]+\.[^\s<>"']+)/giu
const sentenceEnd = /[.,;:!?)\]}'’”]+$/

/** A reply as the API takes it. The server sends HTML unchanged, so typed web addresses become links here. */
export function writeReply(document: TextDocument): { text: string } | { html: string } {
  if (isPlain(document)) return { text: toPlainText(document) }
  return { html: writeBlocks({ ...document, blocks: document.blocks.map(linked) }, literal) }
}

/** Returns the reply that a source contains. HTML that the editor does not know is sent unchanged. */
export function replyBody(source: string): { text: string } | { html: string } {
  const parsed = parseSource(source, literal)
  return parsed.kind === 'document' ? writeReply(parsed.document) : { html: source }
}

export interface ReplyEnd {
  /** The signature of the sender, plain or with HTML; empty if there is none. */
  signature: string
  /** The message that is answered; null if it has no text. */
  quote: Quote | null
}

export interface Quote {
  /** The line above the quoted text: who wrote it, and when. */
  attribution: string
  text: string
}

const quoteStyle = 'margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex'

/** The reply with the signature and the quoted message below it, as mail programs write it. */
export function signedReplyBody(source: string, { signature, quote }: ReplyEnd): { text?: string; html?: string } {
  if (signature.trim() === '' && quote === null) return replyBody(source)
  const own = [source, signature].filter((part) => part.trim() !== '')
  const html = own.map(writeHtml)
  if (quote !== null) {
    const lines = escapeText(quote.text).replaceAll('\n', '<br>\n')
    html.push(`<p>${escapeText(quote.attribution)}</p>\n<blockquote style="${quoteStyle}">${lines}</blockquote>`)
  }
  // The server writes the text of a formatted reply.
  if (!own.every(isPlainSource)) return { html: html.join('\n') }
  const text = quote === null ? own : [...own, `${quote.attribution}\n${quotedLines(quote.text)}`]
  return { text: text.map((part) => part.trim()).join('\n\n'), html: html.join('\n') }
}

function writeHtml(source: string): string {
  const parsed = parseSource(source, literal)
  if (parsed.kind !== 'document') return source
  return writeBlocks({ ...parsed.document, blocks: parsed.document.blocks.map(linked) }, literal)
}

function isPlainSource(source: string): boolean {
  const parsed = parseSource(source, literal)
  return parsed.kind === 'document' && isPlain(parsed.document)
}

function quotedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function linked(block: Block): Block {
  return block.kind === 'list'
    ? { ...block, items: block.items.map((item) => item.map(linked)) }
    : { ...block, pieces: block.pieces.flatMap(linkedPiece) }
}

function linkedPiece(piece: Piece): Piece[] {
  if (piece.kind !== 'text' || piece.marks.href !== null) return [piece]
  const parts: Piece[] = []
  let from = 0
  for (const { 0: found, index } of piece.text.matchAll(webAddress)) {
    const address = found.replace(sentenceEnd, '')
    const href = /^www\./i.test(address) ? `https://${address}` : address
    parts.push({ ...piece, text: piece.text.slice(from, index) })
    parts.push({ ...piece, text: address, marks: { ...piece.marks, href } })
    from = index + address.length
  }
  parts.push({ ...piece, text: piece.text.slice(from) })
  return parts.filter((one) => one.kind !== 'text' || one.text !== '')
}
