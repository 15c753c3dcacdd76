import { useRef, useState } from 'react'
import type { Autosave } from './autosave.actions.ts'
import type { StepDraft } from './draft.ts'

const stepsBackMax = 100
/** Typing without a pause is undone as one edit. */
const restMs = 1_000

export interface Undo {
  /** Like the `change` of the draft, but it can be undone. */
  change: (draft: StepDraft[]) => void
  undo: () => void
  can: boolean
}

/** Undoes edits of a sequence, the last first, even after they were saved. */
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
      // Each step that is added, removed or redirected is one edit. Continuous typing in a text is one edit.
      const writing = draftShape(next) === draftShape(before) && atMs - last.current.atMs < restMs
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

function draftShape(draft: readonly StepDraft[]): string {
  return JSON.stringify(
    draft.map(({ key, then, branches }) => [key, then, branches.map((branch) => [branch.key, branch.goTo])]),
  )
}
