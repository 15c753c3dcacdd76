import type { Node } from 'prosemirror-model'
import { Plugin, type EditorState, type Transaction } from 'prosemirror-state'
import { liquidParts } from './source/liquid.ts'
import { schema } from './schema.ts'

/** Makes a chip of each complete piece of Liquid that is typed or pasted as text. */
export const chips = new Plugin({
  appendTransaction(transactions, _, state) {
    return transactions.some(({ docChanged }) => docChanged) ? withChips(state) : null
  },
})

interface TypedLiquid {
  from: number
  to: number
  source: string
}

function withChips(state: EditorState): Transaction | null {
  const typed: TypedLiquid[] = []
  state.doc.descendants((node, position) => {
    if (node.isTextblock) typed.push(...typedIn(node, position + 1))
    return !node.isTextblock
  })
  if (typed.length === 0) return null
  const { tr } = state
  for (const { from, to, source } of typed.toReversed()) {
    const marks = state.doc.nodeAt(from)?.marks ?? []
    tr.replaceWith(from, to, schema.node('liquid', { source }, undefined, marks))
  }
  return tr
}

const placeOfChip = '\uFFFC'

function typedIn(line: Node, start: number): TypedLiquid[] {
  let at = start
  // Each character is one place in the document, also a chip.
  return liquidParts(line.textBetween(0, line.content.size, null, () => placeOfChip)).flatMap((part) => {
    const from = at
    at += part.kind === 'text' ? part.text.length : part.source.length
    return part.kind === 'text' || part.source.includes(placeOfChip) ? [] : [{ from, to: at, source: part.source }]
  })
}
