import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Trash2 } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { numberText } from '../platform/time/format.ts'
import { Badge, Menu } from '../platform/ui/index.ts'
import { text as branchText } from './branches/branches.messages.ts'
import { IconButtons } from './branches/icon-buttons.tsx'
import type { StepDraft } from './draft.ts'
import { armText, type SequenceView } from './sequence-view.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'
import { text as taskText } from './tasks/task-steps.messages.ts'

/** The moves of a step in its list; undefined if a move is not possible for this step. */
export interface StepMoves {
  up?: (() => void) | undefined
  down?: (() => void) | undefined
  indent?: (() => void) | undefined
  outdent?: (() => void) | undefined
  remove: () => void
  addStep: () => void
  addBranch: () => void
  addTask: () => void
}

export interface StepHeadProps {
  step: StepDraft
  index: number
  open: boolean
  show: () => void
  view: SequenceView
  moves: StepMoves
  timing: string
  gist: string
  children?: ReactNode
}

/** The row of a step: its type, its leads and its errors. Arrow keys move between rows. */
export function StepHead({ step, index, open, show, view, moves, timing, gist, children }: StepHeadProps) {
  const { arms, reached } = view.outlineAt(step.key)
  const arm = arms.at(-1)
  const name = text.step(numberText(index + 1))
  const kind = stepKind(step)
  return (
    <>
      <header className={styles['stepHead']}>
        <span className={styles['number']} aria-hidden>
          {index + 1}
        </span>
        <h2>
          <button
            type="button"
            aria-expanded={open}
            data-step={step.key}
            aria-label={kind === null ? undefined : `${name}, ${kind}`}
            onClick={show}
            onKeyDown={(event) => pressed(event, view.fixed === null ? moves : null)}
          >
            {kind ?? name}
          </button>
        </h2>
        <span>{timing}</span>
        {arm !== undefined && <Badge tone="accent">{armText(view, arm)}</Badge>}
        {!reached && <Badge tone="warn">{branchText.unreached}</Badge>}
        {view.never(step).length > 0 && <Badge tone="warn">{branchText.neverHolds}</Badge>}
        {view.refusals(step.key).length > 0 && <Badge tone="bad">{branchText.refused}</Badge>}
        <span className={styles['gist']}>{gist}</span>
        {open && <StepButtons moves={moves} fixed={view.fixed} />}
      </header>
      {children}
    </>
  )
}

function stepKind({ type }: StepDraft): string | null {
  if (type === 'branch') return branchText.branch
  return type === 'task' ? taskText.task : null
}

function StepButtons({ moves, fixed }: { moves: StepMoves; fixed: string | null }) {
  const buttons = [
    { label: text.moveUp, Icon: ArrowUp, act: moves.up },
    { label: text.moveDown, Icon: ArrowDown, act: moves.down },
    { label: branchText.indent, Icon: ArrowRight, act: moves.indent },
    { label: branchText.outdent, Icon: ArrowLeft, act: moves.outdent },
    { label: text.removeStep, Icon: Trash2, act: moves.remove },
  ]
  return (
    <>
      <IconButtons buttons={buttons} fixed={fixed} />
      {fixed === null && (
        <Menu
          small
          label={branchText.addBelow}
          items={[
            { label: branchText.stepBelow, act: moves.addStep },
            { label: branchText.branchBelow, act: moves.addBranch },
            { label: taskText.taskBelow, act: moves.addTask },
          ]}
        >
          {branchText.addBelow}
        </Menu>
      )}
    </>
  )
}

/** Up and down move the focus to the next step. With Alt the arrows move the step itself. */
function pressed(event: KeyboardEvent<HTMLButtonElement>, moves: StepMoves | null): void {
  const { key, altKey, ctrlKey, metaKey } = event
  if (ctrlKey || metaKey) return
  const act = altKey ? moving(key, moves) : key === 'Delete' ? moves?.remove : goingOn(event.currentTarget, key)
  if (act === undefined && !(altKey && key.startsWith('Arrow'))) return
  event.preventDefault()
  act?.()
}

function moving(key: string, moves: StepMoves | null): (() => void) | undefined {
  if (key === 'ArrowUp') return moves?.up
  if (key === 'ArrowDown') return moves?.down
  // "Inwards" follows the direction of writing.
  const inwards = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  if (key === inwards) return moves?.indent
  return key === 'ArrowLeft' || key === 'ArrowRight' ? moves?.outdent : undefined
}

function goingOn(from: HTMLElement, key: string): (() => void) | undefined {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const all = [...document.querySelectorAll<HTMLElement>('[data-step]')]
  const next = all[all.indexOf(from) + (key === 'ArrowUp' ? -1 : 1)]
  return () => next?.focus()
}
