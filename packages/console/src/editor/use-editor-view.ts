import { history } from 'prosemirror-history'
import { Slice, type Node } from 'prosemirror-model'
import { EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { chips } from './chips.ts'
import { keys } from './commands.ts'
import type { Block } from './source/document.ts'
import { parseSource, plainLines } from './source/parse-source.ts'
import { pastedBlocks } from './paste.ts'
import type { RichEditorProps } from './editor-props.ts'
import { documentOfNode, toFragment, nodeOfDocument, toNodes } from './schema.ts'
import { parseVariable } from './source/liquid.ts'
import { writeSource } from './source/write-source.ts'
import styles from './editor.module.css'

interface EditorViewUse extends RichEditorProps {
  pressed: (view: EditorView, event: KeyboardEvent) => boolean
  openChip: (position: number) => void
}

interface ShownEditor {
  host: RefObject<HTMLDivElement | null>
  view: EditorView | null
  state: EditorState | null
}

/** The sources that the editor wrote and the page has not given back yet. The first one is the current source of the page. */
type WrittenSources = string[]

const fromOutside = 'from outside'

/** Shows a source in an editor and writes each change back as a source. */
export function useEditorView(props: EditorViewUse): ShownEditor {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Omit<ShownEditor, 'host'>>({ view: null, state: null })
  const current = useRef(props)
  current.current = props
  const written = useRef<WrittenSources>([props.value])
  useEffect(() => {
    const view = createView({ place: host.current!, current, written: written.current, show: setShown })
    setShown({ view, state: view.state })
    return () => view.destroy()
  }, [])
  const { view } = shown
  const { value, invalid = false, label } = props
  useEffect(() => {
    view?.setProps({ attributes: editorAttributes(current.current) })
  }, [view, invalid, label])
  const unknownNames = (props.unknown ?? []).map(({ at }) => value.slice(...at)).join('\n')
  useEffect(() => {
    const names = new Set(unknownNames.split('\n'))
    view?.setProps({ decorations: ({ doc }) => DecorationSet.create(doc, chipsNamed(doc, names)) })
  }, [view, unknownNames])
  useEffect(() => {
    if (view === null) return
    const seen = written.current.indexOf(value)
    // Typing is faster than the page, which may still give back an earlier source of this editor.
    if (seen >= 0) written.current.splice(0, seen)
    else if (takeSource(view, value, current.current)) written.current.splice(0, Infinity, value)
  }, [view, value])
  return { host, ...shown }
}

interface ViewParts {
  place: HTMLElement
  current: { readonly current: EditorViewUse }
  written: WrittenSources
  show: (shown: Omit<ShownEditor, 'host'>) => void
}

function createView({ place, current, written, show }: ViewParts): EditorView {
  const { value, syntax } = current.current
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({
      doc: toDocument(value, syntax),
      plugins: [history(), ...keys, ...(syntax.liquid ? [chips] : [])],
    }),
    attributes: editorAttributes(current.current),
    dispatchTransaction(transaction: Transaction) {
      const state = view.state.apply(transaction)
      view.updateState(state)
      show({ view, state })
      if (!transaction.docChanged || transaction.getMeta(fromOutside) === true) return
      const source = writeSource(documentOfNode(state.doc), syntax)
      if (source === written.at(-1)) return
      written.push(source)
      current.current.change(source)
      // A form notices input by this event, which a browser sends only for keys.
      view.dom.dispatchEvent(new Event('input', { bubbles: true }))
    },
    handleKeyDown: (_, event) => current.current.pressed(view, event),
    // Chrome would copy styles into the text that it inserts, which the content security policy forbids.
    handleTextInput(_, from, to, text) {
      const { selection, tr } = view.state
      if (!(selection instanceof TextSelection) || !selection.$from.sameParent(selection.$to)) return false
      tr.insertText(text, from, to)
      view.dispatch(tr.setSelection(TextSelection.create(tr.doc, from + text.length)).scrollIntoView())
      return true
    },
    // The library would read the HTML first, and its styles are breaches of the page's policy.
    transformPastedHTML: () => '',
    handlePaste(_, { clipboardData }) {
      if (clipboardData === null) return false
      return insertPasted(view, clipboardData, syntax)
    },
    handleDrop(_, event, __, moved) {
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
      if (moved || event.dataTransfer === null || at === null) return false
      view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))))
      return insertPasted(view, event.dataTransfer, syntax)
    },
    handleClickOn(_, __, node, position) {
      if (node.type.name === 'liquid') current.current.openChip(position)
      return false
    },
    clipboardTextSerializer: ({ content }) => content.textBetween(0, content.size, '\n'),
  })
  return view
}

/** Marks the chips of these variables. */
function chipsNamed(doc: Node, names: ReadonlySet<string>): Decoration[] {
  const found: Decoration[] = []
  doc.descendants((node, position) => {
    const name = node.type.name === 'liquid' ? parseVariable(String(node.attrs['source']))?.name : undefined
    if (name !== undefined && names.has(name))
      found.push(Decoration.node(position, position + node.nodeSize, { class: styles['unknownName']! }))
  })
  return found
}

function toDocument(value: string, syntax: RichEditorProps['syntax']) {
  const parsed = parseSource(value, syntax)
  return nodeOfDocument(
    parsed.kind === 'document' ? parsed.document : { form: 'lines', blocks: plainLines(value, syntax) },
  )
}

/** Shows a source that another user wrote. Returns false if the editor can't show it. */
function takeSource(view: EditorView, value: string, { syntax, showSource }: EditorViewUse): boolean {
  const parsed = parseSource(value, syntax)
  if (parsed.kind === 'source') {
    showSource(parsed.because)
    return false
  }
  const { tr, doc } = view.state
  tr.replaceWith(0, doc.content.size, toNodes(parsed.document.blocks)).setDocAttribute('form', parsed.document.form)
  view.dispatch(tr.setSelection(Selection.atEnd(tr.doc)).setMeta(fromOutside, true))
  return true
}

function editorAttributes({ label, invalid, describedBy }: EditorViewUse): Record<string, string> {
  return {
    role: 'textbox',
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-invalid': String(invalid === true),
    'aria-describedby': describedBy,
  }
}

function insertPasted(view: EditorView, data: DataTransfer, syntax: RichEditorProps['syntax']): boolean {
  const html = data.getData('text/html')
  const plain = data.getData('text/plain')
  const blocks: Block[] = html === '' ? plainLines(plain.replaceAll(/\r\n?/g, '\n'), syntax) : pastedBlocks(html)
  if (blocks.length === 0) return plain === '' && html === '' ? false : true
  // The first and the last line join the line at the cursor.
  const openAt = (block: Block | undefined): number => (block?.kind === 'line' ? 1 : 0)
  const slice = new Slice(toFragment(blocks), openAt(blocks[0]), openAt(blocks.at(-1)))
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true))
  return true
}
