import { NodeSelection, type Command, type EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useRef, useState } from 'react'
import { readFormatting, insertLiquid } from './commands.ts'
import { EditorPopover, type OpenForm } from './popover.tsx'
import { SuggestedVariables, useSuggestions } from './suggestions.tsx'
import type { RichEditorProps } from './editor-props.ts'
import { Toolbar } from './toolbar.tsx'
import { useEditorView } from './use-editor-view.ts'
import styles from './editor.module.css'

/** Shows the text as recipients see it, with a toolbar. */
export function RichEditor(props: RichEditorProps) {
  const [form, setForm] = useState<OpenForm | null>(null)
  const suggestions = useSuggestions(props.variables)
  const pressed = (view: EditorView, event: KeyboardEvent): boolean => {
    if (props.keys?.(event) === true || suggestions.pressed(view, event)) return true
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      // Outside of a text the key opens the command palette.
      event.stopPropagation()
      setForm({ kind: 'link' })
      return true
    }
    const chip = event.key === 'Enter' && !event.ctrlKey && !event.metaKey ? selectedChip(view.state) : null
    if (chip !== null) setForm({ kind: 'chip', position: chip })
    return chip !== null
  }
  const box = useRef<HTMLDivElement>(null)
  const { host, view, state } = useEditorView({
    ...props,
    pressed,
    openChip: (position) => setForm({ kind: 'chip', position }),
  })
  const run = (command: Command): void => {
    if (view === null) return
    command(view.state, view.dispatch)
    view.focus()
  }
  return (
    <div ref={box} className={styles['box']} data-invalid={props.invalid} data-compact={props.compact}>
      <Toolbar
        formatting={state === null ? null : readFormatting(state)}
        run={run}
        open={(kind) => setForm({ kind })}
        variables={props.variables}
        insertVariable={(name) => run(insertLiquid(`{{ ${name} }}`))}
        showSource={() => props.showSource(null)}
      />
      <div
        className={styles['rich']}
        ref={host}
        data-placeholder={props.value === '' ? props.placeholder : undefined}
      />
      {view !== null && state !== null && (
        <SuggestedVariables suggestions={suggestions} view={view} state={state} box={box.current} />
      )}
      {view !== null && form !== null && (
        <EditorPopover
          key={JSON.stringify(form)}
          form={form}
          view={view}
          box={box.current}
          close={() => {
            setForm(null)
            view.focus()
          }}
          run={run}
        />
      )}
    </div>
  )
}

function selectedChip({ selection }: EditorState): number | null {
  return selection instanceof NodeSelection && selection.node.type.name === 'liquid' ? selection.from : null
}
