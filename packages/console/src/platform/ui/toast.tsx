import { useSyncExternalStore } from 'react'
import { text } from '../text/platform.messages.ts'
import styles from './ui.module.css'

const undoMs = 8_000
const heldMs = 1_000
const shownMax = 3

interface Note {
  id: number
  message: string
  undo: (() => void) | null
}

const state: { notes: readonly Note[]; nextId: number; held: boolean } = { notes: [], nextId: 1, held: false }
const listeners = new Set<() => void>()

/** Says what was done, and offers undo for eight seconds if it can be undone. */
export function say(message: string, undo?: () => void): void {
  const note: Note = { id: state.nextId++, message, undo: undo ?? null }
  show([...state.notes, note].slice(-shownMax))
  setTimeout(() => expire(note), undoMs)
}

/** A note does not disappear while the user points at it or focuses it. */
function expire(note: Note): void {
  if (state.held) setTimeout(() => expire(note), heldMs)
  else drop(note)
}

const hold = (): void => void (state.held = true)
const release = (): void => void (state.held = false)

/** Undoes the last action that can be undone, by key. */
export function undoLast(): void {
  const last = state.notes.findLast(({ undo }) => undo !== null)
  if (last !== undefined) takeBack(last)
}

function takeBack(note: Note): void {
  drop(note)
  note.undo?.()
}

function drop(note: Note): void {
  show(state.notes.filter(({ id }) => id !== note.id))
  if (state.notes.length === 0) release()
}

function show(notes: readonly Note[]): void {
  state.notes = notes
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The only polite live region of the page. */
export function Toasts() {
  const notes = useSyncExternalStore(listen, () => state.notes)
  return (
    <section
      className={styles['toasts']}
      role="status"
      aria-live="polite"
      aria-label={text.notifications}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {notes.map((note) => (
        <div key={note.id} className={styles['toast']}>
          <p>{note.message}</p>
          {note.undo !== null && (
            <button type="button" className={styles['toastAction']} onClick={() => takeBack(note)}>
              {text.undo}
            </button>
          )}
        </div>
      ))}
    </section>
  )
}
