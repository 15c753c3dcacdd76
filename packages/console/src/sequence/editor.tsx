import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { liquidText } from './liquid-text.ts'
import styles from './sequence.module.css'

export interface TextIssue {
  line: number
  column: number
  message: string
}

interface UnknownPlace {
  at: readonly [from: number, to: number]
  message: string
}

export interface EditorProps {
  label: string
  value: string
  change: (value: string) => void
  variables: readonly string[]
  issues: readonly TextIssue[]
  /** The places of names that no lead has. */
  unknown: readonly UnknownPlace[]
  describedBy: string
  /** Called with a function that inserts text at the cursor. */
  ready: (insert: (text: string) => void) => void
}

/** An editor for plain text with Liquid: completes variables, and marks syntax errors in the text. */
export function Editor(props: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const current = useRef(props)
  current.current = props
  const attributes = useRef(new Compartment())
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: props.value,
        extensions: [
          history(),
          keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-k'), ...historyKeymap]),
          liquidText,
          EditorView.lineWrapping,
          autocompletion({ override: [(context) => completions(context, current.current.variables)], icons: false }),
          attributes.current.of(attributesOf(props)),
          EditorView.updateListener.of(
            (update) => update.docChanged && current.current.change(update.state.doc.toString()),
          ),
        ],
      }),
    })
    view.current = editor
    props.ready((inserted) => {
      const { from, to } = editor.state.selection.main
      editor.dispatch({ changes: { from, to, insert: inserted }, selection: { anchor: from + inserted.length } })
      editor.focus()
    })
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } })
  }, [props.value])
  const invalid = props.issues.length > 0
  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    const found = [...diagnosticsOf(editor, props.issues), ...unknownOf(editor, props.unknown)]
    editor.dispatch(setDiagnostics(editor.state, found))
    editor.dispatch({ effects: attributes.current.reconfigure(attributesOf(props)) })
  }, [props.issues, invalid, JSON.stringify(props.unknown)])
  return <div ref={host} className={styles['editor']} />
}

function attributesOf({ label, issues, describedBy }: EditorProps) {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-invalid': String(issues.length > 0),
    'aria-describedby': describedBy,
  })
}

function diagnosticsOf(editor: EditorView, issues: readonly TextIssue[]): Diagnostic[] {
  return issues.map(({ line, column, message }) => {
    const found = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines))
    const from = Math.min(found.from + Math.max(0, column - 1), found.to)
    return { from, to: Math.max(from, found.to), severity: 'error', message }
  })
}

function unknownOf(editor: EditorView, unknown: readonly UnknownPlace[]): Diagnostic[] {
  const { length } = editor.state.doc
  return unknown
    .filter(({ at: [, to] }) => to <= length)
    .map(({ at: [from, to], message }) => ({
      from,
      to,
      severity: 'warning',
      message,
      markClass: styles['unknownName']!,
    }))
}

function completions(context: CompletionContext, variables: readonly string[]): CompletionResult | null {
  const opened = context.matchBefore(/\{\{\s*[\w.]*/)
  if (opened === null) return null
  const word = context.matchBefore(/[\w.]*/)
  const options: Completion[] = variables.map((name) => ({ label: name, type: 'variable' }))
  return { from: word?.from ?? context.pos, options }
}
