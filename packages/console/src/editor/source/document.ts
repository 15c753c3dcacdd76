/** The formatting of a piece of a line. */
export interface Marks {
  bold: boolean
  italic: boolean
  /** The address of the link around the piece. */
  href: string | null
}

export type Piece = { marks: Marks } & (
  | { kind: 'text'; text: string }
  /** A variable, tag or spintax of a template, as it is written in the source. */
  | { kind: 'liquid'; source: string }
  | { kind: 'image'; src: string; alt: string; width: string; height: string }
)

export interface Line {
  kind: 'line'
  pieces: Piece[]
}

export interface List {
  kind: 'list'
  ordered: boolean
  items: Block[][]
}

export type Block = Line | List

/** A body as the editor shows it. */
export interface TextDocument {
  /** Whether the source has block elements. Without them, each line break of the source is a line break of the message. */
  form: 'lines' | 'blocks'
  blocks: Block[]
}

export const noMarks: Marks = { bold: false, italic: false, href: null }

export function isBlank({ pieces }: Line): boolean {
  return pieces.every((piece) => piece.kind === 'text' && /^[ \t]*$/.test(piece.text))
}

/** Whether a document can be written without HTML. */
export function isPlain({ form, blocks }: TextDocument): boolean {
  return form === 'lines' && blocks.every((block) => block.kind === 'line' && block.pieces.every(isPlainPiece))
}

function isPlainPiece({ kind, marks: { bold, italic, href } }: Piece): boolean {
  return kind !== 'image' && !bold && !italic && href === null
}

/** The text of a plain document: its source, or what a recipient reads if there is no Liquid. */
export function toPlainText({ blocks }: TextDocument): string {
  return blocks.map((block) => (block.kind === 'line' ? block.pieces.map(plainPiece).join('') : '')).join('\n')
}

function plainPiece(piece: Piece): string {
  return piece.kind === 'text' ? piece.text : piece.kind === 'liquid' ? piece.source : ''
}
