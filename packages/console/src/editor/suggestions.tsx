import { type EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useState } from 'react'
import { insertLiquid } from './commands.ts'
import { text } from './editor.messages.ts'
import { placeBelow } from './place.ts'
import styles from './editor.module.css'

interface BegunVariable {
  /** The place of the opening braces. */
  from: number
  word: string
  options: string[]
}

const begunVariable = /\{\{\s*([\p{L}_][\w.]*)?$/u
const lookBackMax = 60
const optionsMax = 8

export interface Suggestions {
  begunIn: (state: EditorState) => BegunVariable | null
  chosen: number
  pressed: (view: EditorView, event: KeyboardEvent) => boolean
}

/** Suggests variables after two braces. Arrow keys choose one, Enter inserts it, and Escape closes the list. */
export function useSuggestions(variables: readonly string[]): Suggestions {
  const [chosen, setChosen] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const begunIn = (state: EditorState): BegunVariable | null => {
    const begun = findBegunVariable(state, variables)
    return begun === null || begun.from === closedAt ? null : begun
  }
  const pressed = (view: EditorView, event: KeyboardEvent): boolean => {
    const begun = begunIn(view.state)
    if (begun === null || event.ctrlKey || event.metaKey) return false
    const count = begun.options.length
    const current = Math.min(chosen, count - 1)
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) setChosen((current + move + count) % count)
    else if (event.key === 'Escape') setClosedAt(begun.from)
    else if (event.key === 'Enter') {
      insertLiquid(`{{ ${begun.options[current]!} }}`, begun.from)(view.state, view.dispatch)
      setChosen(0)
    } else return false
    return true
  }
  return { begunIn, chosen, pressed }
}

function findBegunVariable({ selection }: EditorState, variables: readonly string[]): BegunVariable | null {
  const { $from, empty } = selection
  if (!empty || variables.length === 0) return null
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - lookBackMax),
    $from.parentOffset,
    null,
    '\uFFFC',
  )
  const found = begunVariable.exec(before)
  if (found === null) return null
  const word = (found[1] ?? '').toLowerCase()
  const options = variables.filter((name) => name.toLowerCase().includes(word)).slice(0, optionsMax)
  return options.length === 0 ? null : { from: $from.pos - found[0].length, word, options }
}

export function SuggestedVariables({
  suggestions,
  view,
  state,
  box,
}: {
  suggestions: Suggestions
  view: EditorView
  state: EditorState
  box: HTMLElement | null
}) {
  const begun = view.hasFocus() ? suggestions.begunIn(state) : null
  if (begun === null) return null
  return (
    <div
      role="listbox"
      aria-label={text.variables}
      className={styles['suggestions']}
      style={placeBelow(view, box, begun.from)}
    >
      {begun.options.map((name, index) => (
        <div
          key={name}
          role="option"
          tabIndex={-1}
          aria-selected={index === Math.min(suggestions.chosen, begun.options.length - 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => insertLiquid(`{{ ${name} }}`, begun.from)(view.state, view.dispatch)}
        >
          {name}
        </div>
      ))}
    </div>
  )
}
