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
import type { TextEditorProps, TextIssue, UnknownPlace } from './editor-props.ts'
import styles from './editor.module.css'

export interface SourceEditorProps extends TextEditorProps {
  variables: readonly string[]
}

/** An editor for a source: completes variables, and marks syntax errors in the text. */
export function SourceEditor(props: SourceEditorProps) {
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
          EditorView.domEventHandlers({ keydown: (event) => current.current.keys?.(event) === true }),
          autocompletion({ override: [(context) => completions(context, current.current.variables)], icons: false }),
          attributes.current.of(editorAttributes(props)),
          EditorView.updateListener.of(
            (update) => update.docChanged && current.current.change(update.state.doc.toString()),
          ),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } })
  }, [props.value])
  const { invalid = false } = props
  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    const found = [...toDiagnostics(editor, props.issues), ...unknownDiagnostics(editor, props.unknown ?? [])]
    editor.dispatch(setDiagnostics(editor.state, found))
    editor.dispatch({ effects: attributes.current.reconfigure(editorAttributes(props)) })
  }, [props.issues, invalid, JSON.stringify(props.unknown)])
  return <div ref={host} className={styles['source']} />
}

function editorAttributes({ label, invalid = false, describedBy }: SourceEditorProps) {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    'aria-invalid': String(invalid),
    'aria-describedby': describedBy,
  })
}

function toDiagnostics(editor: EditorView, issues: readonly TextIssue[]): Diagnostic[] {
  return issues.map(({ line, column, message }) => {
    const found = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines))
    const from = Math.min(found.from + Math.max(0, column - 1), found.to)
    return { from, to: Math.max(from, found.to), severity: 'error', message }
  })
}

function unknownDiagnostics(editor: EditorView, unknown: readonly UnknownPlace[]): Diagnostic[] {
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
