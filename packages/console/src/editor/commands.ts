import { baseKeymap, chainCommands, toggleMark } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { MarkType, NodeType, ResolvedPos } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import { NodeSelection, TextSelection, type Command, type EditorState, type Plugin } from 'prosemirror-state'
import { bulletList, listItem, orderedList, schema } from './schema.ts'

export const toggleBold = toggleMark(schema.marks['bold']!)
export const toggleItalic = toggleMark(schema.marks['italic']!)

/** Makes list items of the selected lines, changes the kind of their list, or makes lines of the items again. */
export function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const list = listAround(state.selection.$from)
    if (list === null) return wrapInList(type)(state, dispatch)
    if (list.type === type) return liftListItem(listItem!)(state, dispatch)
    dispatch?.(state.tr.setNodeMarkup(list.position, type))
    return true
  }
}

function listAround($from: ResolvedPos): { type: NodeType; position: number } | null {
  for (let depth = $from.depth; depth > 0; depth--) {
    const { type } = $from.node(depth)
    if (type === bulletList || type === orderedList) return { type, position: $from.before(depth) }
  }
  return null
}

/** The formatting at the cursor, which the toolbar shows. */
export interface FormattingState {
  bold: boolean
  italic: boolean
  link: boolean
  list: NodeType | null
}

export function readFormatting(state: EditorState): FormattingState {
  const { $from } = state.selection
  const has = (name: string): boolean => hasMark(state, schema.marks[name]!)
  return { bold: has('bold'), italic: has('italic'), link: has('link'), list: listAround($from)?.type ?? null }
}

function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined
  return doc.rangeHasMark(from, to, type)
}

/** The whole link around the cursor or the beginning of the selection. */
export function linkAround({
  selection: { $from, empty },
}: EditorState): { from: number; to: number; href: string } | null {
  const type = schema.marks['link']!
  const after = $from.nodeAfter
  const before = $from.nodeBefore
  const node = after !== null && type.isInSet(after.marks) ? after : empty ? before : null
  const mark = node === null ? undefined : type.isInSet(node.marks)
  if (mark === undefined) return null
  const start = $from.start()
  let range: { from: number; to: number } | null = null
  let isAtCursor = false
  $from.parent.forEach((child, offset) => {
    const from = start + offset
    const to = from + child.nodeSize
    if (!mark.isInSet(child.marks)) {
      if (!isAtCursor) range = null
      return
    }
    if (isAtCursor && range?.to !== from) return
    range = { from: range?.from ?? from, to }
    isAtCursor ||= from <= $from.pos && $from.pos <= to
  })
  return range === null ? null : { ...(range as { from: number; to: number }), href: String(mark.attrs['href']) }
}

/** Links the selection, changes the link around the cursor, or inserts the address as a linked text. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const { selection, tr } = state
    const mark = schema.mark('link', { href })
    const around = linkAround(state)
    if (selection.empty && around === null) {
      const shown = schema.text(href.replace(/^(?:mailto|tel):/, ''), [mark])
      dispatch?.(tr.replaceSelectionWith(shown, false).scrollIntoView())
      return true
    }
    const { from, to } = around ?? selection
    dispatch?.(tr.removeMark(from, to, mark.type).addMark(from, to, mark))
    return true
  }
}

export const removeLink: Command = (state, dispatch) => {
  const { from, to } = linkAround(state) ?? state.selection
  dispatch?.(state.tr.removeMark(from, to, schema.marks['link']))
  return true
}

/** Inserts a chip, with the formatting at the cursor. */
export function insertLiquid(source: string, from?: number): Command {
  return (state, dispatch) => {
    const { $from, to } = state.selection
    const chip = schema.node('liquid', { source }, undefined, state.storedMarks ?? $from.marks())
    dispatch?.(state.tr.replaceWith(from ?? $from.pos, to, chip).scrollIntoView())
    return true
  }
}

export function insertImage(src: string, alt: string): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(schema.node('image', { src, alt }), true).scrollIntoView())
    return true
  }
}

/** Replaces the chip at a place. */
export function changeChip(position: number, source: string): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node?.type.name !== 'liquid') return false
    const chip = schema.node('liquid', { source }, undefined, node.marks)
    const tr = state.tr.replaceWith(position, position + 1, chip)
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, position + 1)))
    return true
  }
}

/** Removes a chip before or after the cursor as one character. */
function removeAtom(side: 'nodeBefore' | 'nodeAfter'): Command {
  return ({ selection, tr }, dispatch) => {
    const { $from, empty } = selection
    if (!empty || $from[side]?.isAtom !== true || $from[side].isText) return false
    dispatch?.(side === 'nodeBefore' ? tr.delete($from.pos - 1, $from.pos) : tr.delete($from.pos, $from.pos + 1))
    return true
  }
}

/** Selects a chip when an arrow key reaches it, so that Enter can open it. */
function selectAtom(side: 'nodeBefore' | 'nodeAfter'): Command {
  return ({ selection, doc, tr }, dispatch) => {
    const { $from, empty } = selection
    if (!empty || $from[side]?.isAtom !== true || $from[side].isText) return false
    dispatch?.(tr.setSelection(NodeSelection.create(doc, side === 'nodeBefore' ? $from.pos - 1 : $from.pos)))
    return true
  }
}

const newLine = chainCommands(splitListItem(listItem!), baseKeymap['Enter']!)

/** Tab moves list items. Outside of lists it leaves the field, as everywhere. */
export const keys: Plugin[] = [
  keymap({
    'Mod-b': toggleBold,
    'Mod-i': toggleItalic,
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    Enter: newLine,
    'Shift-Enter': baseKeymap['Enter']!,
    Backspace: removeAtom('nodeBefore'),
    Delete: removeAtom('nodeAfter'),
    ArrowLeft: selectAtom('nodeBefore'),
    ArrowRight: selectAtom('nodeAfter'),
    Tab: sinkListItem(listItem!),
    'Shift-Tab': (state, dispatch) => nested(state) && liftListItem(listItem!)(state, dispatch),
  }),
  keymap(baseKeymap),
]

function nested({ selection: { $from } }: EditorState): boolean {
  const depths = Array.from({ length: $from.depth }, (_, depth) => $from.node(depth + 1))
  return depths.filter(({ type }) => type === listItem).length > 1
}
