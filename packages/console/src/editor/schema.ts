import { Fragment, Schema, type Mark, type Node } from 'prosemirror-model'
import { isSafeAddress } from './source/addresses.ts'
import { noMarks, type Block, type Line, type Marks, type Piece, type TextDocument } from './source/document.ts'
import { text } from './editor.messages.ts'
import { parseSpinOptions, parseVariable } from './source/liquid.ts'

/** A line, and not a paragraph: Enter begins a new line, as in the source of a text without HTML. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+', attrs: { form: { default: 'lines' } } },
    line: {
      content: 'inline*',
      group: 'block',
      parseDOM: [{ tag: 'div' }, { tag: 'p' }],
      toDOM: () => ['div', 0],
    },
    bullet_list: {
      content: 'list_item+',
      group: 'block',
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      content: 'list_item+',
      group: 'block',
      parseDOM: [{ tag: 'ol' }],
      toDOM: () => ['ol', 0],
    },
    list_item: { content: 'line block*', defining: true, parseDOM: [{ tag: 'li' }], toDOM: () => ['li', 0] },
    text: { group: 'inline' },
    liquid: {
      group: 'inline',
      inline: true,
      atom: true,
      attrs: { source: { validate: 'string' } },
      leafText: ({ attrs }) => String(attrs['source']),
      parseDOM: [
        { tag: 'span[data-liquid]', getAttrs: (element) => ({ source: element.getAttribute('data-liquid') ?? '' }) },
      ],
      toDOM: ({ attrs }) => {
        const source = String(attrs['source'])
        return ['span', { 'data-liquid': source, 'data-kind': tokenKind(source), title: source }, shownLiquid(source)]
      },
    },
    image: {
      group: 'inline',
      inline: true,
      atom: true,
      attrs: { src: {}, alt: { default: '' }, width: { default: '' }, height: { default: '' } },
      leafText: ({ attrs }) => String(attrs['alt']),
      // The picture itself is not loaded: its server would learn who edits the text.
      toDOM: ({ attrs }) => {
        const { src, alt } = attrs as { src: string; alt: string }
        return ['span', { 'data-image': src, title: src }, text.imageOf(alt === '' ? src : alt)]
      },
    },
  },
  marks: {
    link: {
      attrs: { href: { validate: 'string' } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (element) => {
            const href = element.getAttribute('href') ?? ''
            return isSafeAddress(href) && { href }
          },
        },
      ],
      toDOM: ({ attrs }) => ['a', { href: String(attrs['href']), title: String(attrs['href']) }, 0],
    },
    bold: { parseDOM: [{ tag: 'b' }, { tag: 'strong' }], toDOM: () => ['b', 0] },
    italic: { parseDOM: [{ tag: 'i' }, { tag: 'em' }], toDOM: () => ['i', 0] },
  },
})

export const { line: lineType, bullet_list: bulletList, ordered_list: orderedList, list_item: listItem } = schema.nodes

function tokenKind(source: string): 'variable' | 'spin' | 'tag' {
  if (parseVariable(source) !== null) return 'variable'
  return parseSpinOptions(source) === null ? 'tag' : 'spin'
}

function shownLiquid(source: string): string {
  const variable = parseVariable(source)
  if (variable !== null)
    return variable.fallback === null ? variable.name : text.variableOr(variable.name, variable.fallback)
  return parseSpinOptions(source)?.join(' | ') ?? source
}

export function nodeOfDocument({ form, blocks }: TextDocument): Node {
  return schema.node('doc', { form }, toNodes(blocks))
}

export function toNodes(blocks: readonly Block[]): Node[] {
  return blocks.map((block) => {
    if (block.kind === 'line') return schema.node('line', null, block.pieces.map(pieceNode))
    const items = block.items.map((item) => listItem!.create(null, toNodes(item)))
    return schema.node(block.ordered ? 'ordered_list' : 'bullet_list', null, items)
  })
}

function pieceNode(piece: Piece): Node {
  const marks = marksFrom(piece.marks)
  if (piece.kind === 'text') return schema.text(piece.text, marks)
  if (piece.kind === 'liquid') return schema.node('liquid', { source: piece.source }, undefined, marks)
  const { src, alt, width, height } = piece
  return schema.node('image', { src, alt, width, height }, undefined, marks)
}

function marksFrom({ bold, italic, href }: Marks): Mark[] {
  return [
    ...(href === null ? [] : [schema.mark('link', { href })]),
    ...(bold ? [schema.mark('bold')] : []),
    ...(italic ? [schema.mark('italic')] : []),
  ]
}

export function documentOfNode(doc: Node): TextDocument {
  return { form: doc.attrs['form'] === 'blocks' ? 'blocks' : 'lines', blocks: toBlocks(doc) }
}

function toBlocks({ children }: Node): Block[] {
  return children.map((node): Block => {
    if (node.type === lineType) return toLine(node)
    return { kind: 'list', ordered: node.type === orderedList, items: node.children.map(toBlocks) }
  })
}

function toLine({ children }: Node): Line {
  return { kind: 'line', pieces: children.map(toPiece) }
}

function toPiece(node: Node): Piece {
  const marks: Marks = { ...noMarks }
  for (const { type, attrs } of node.marks) {
    if (type.name === 'link') marks.href = String(attrs['href'])
    else marks[type.name as 'bold' | 'italic'] = true
  }
  if (node.isText) return { kind: 'text', text: (node.text ?? '').replaceAll(/\r?\n/g, ' '), marks }
  if (node.type.name === 'liquid') return { kind: 'liquid', source: String(node.attrs['source']), marks }
  const { src, alt, width, height } = node.attrs as Record<'src' | 'alt' | 'width' | 'height', string>
  return { kind: 'image', src, alt, width, height, marks }
}

export function toFragment(blocks: readonly Block[]): Fragment {
  return Fragment.from(toNodes(blocks))
}
