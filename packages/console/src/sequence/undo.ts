import { useRef, useState } from 'react'
import type { Autosave } from './autosave.actions.ts'
import type { StepDraft } from './draft.ts'

const stepsBackMax = 100
/** What is written without a rest is taken back as one. */
const restMs = 1_000

export interface Undo {
  /** As the change of what it stands before, and to be taken back. */
  change: (draft: StepDraft[]) => void
  undo: () => void
  can: boolean
}

/** Takes back what was done to a sequence, the last first, also after it was saved. */
export function useUndo({ draft, change }: Autosave): Undo {
  const past = useRef<StepDraft[][]>([])
  const last = useRef({ atMs: -restMs })
  const [count, setCount] = useState(0)
  const latest = useRef({ draft, change })
  latest.current = { draft, change }
  return {
    can: count > 0,
    change(next) {
      const before = latest.current.draft
      const atMs = performance.now()
      // Each step that comes, goes or leads elsewhere is one; a text is one for as long as somebody writes.
      const writing = shapeOf(next) === shapeOf(before) && atMs - last.current.atMs < restMs
      last.current.atMs = atMs
      if (!writing) past.current = [...past.current, before].slice(-stepsBackMax)
      setCount(past.current.length)
      latest.current.change(next)
    },
    undo() {
      const before = past.current.pop()
      setCount(past.current.length)
      if (before !== undefined) latest.current.change(before)
    },
  }
}

function shapeOf(draft: readonly StepDraft[]): string {
  return JSON.stringify(
    draft.map(({ key, then, branches }) => [key, then, branches.map((branch) => [branch.key, branch.goTo])]),
  )
}
