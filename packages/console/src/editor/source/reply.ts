import { isPlain, plainTextOf, type Block, type Piece, type TextDocument } from './document.ts'
import { parseSource } from './parse-source.ts'
import { writeBlocks } from './write-source.ts'

const literal = { liquid: false }
const webAddress = /(?<![\w@/.-])(https?:\/\/[^\s<>"']+|www\.[\p{L}\p{N}-]+\.[^\s<>"']+)/giu
const sentenceEnd = /[.,;:!?)\]}'’”]+$/

/** A reply as the API takes it. The server sends HTML unchanged, so typed web addresses become links here. */
export function writeReply(document: TextDocument): { text: string } | { html: string } {
  if (isPlain(document)) return { text: plainTextOf(document) }
  return { html: writeBlocks({ ...document, blocks: document.blocks.map(linked) }, literal) }
}

/** The reply that a source stands for. HTML that the editor does not know is sent as it is. */
export function replyOf(source: string): { text: string } | { html: string } {
  const parsed = parseSource(source, literal)
  return parsed.kind === 'document' ? writeReply(parsed.document) : { html: source }
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
