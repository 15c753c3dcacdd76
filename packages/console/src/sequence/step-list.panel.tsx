import type { Campaign, Lead } from '@overture/sdk'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useKeys } from '../platform/keys/keys.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Empty, say } from '../platform/ui/index.ts'
import { BranchCard } from './branches/branch-card.tsx'
import { text as branchText } from './branches/branches.messages.ts'
import type { TextCheck } from './check.queries.ts'
import { likelyQuestion } from './branches/conditions.ts'
import { copiedVariant, newBranchStep, newStep, newTaskStep, replaceAt, type StepDraft } from './draft.ts'
import { indented, movedStep, outdented, withoutStep, withStepAfter, withStepInArm } from './branches/flow.ts'
import type { SequenceView } from './sequence-view.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'
import { StepCard } from './step-card.panel.tsx'
import type { StepMoves } from './step-head.tsx'
import { TaskCard } from './tasks/task-card.tsx'
import { text as taskText } from './tasks/task-steps.messages.ts'
import type { Undo } from './undo.ts'

export interface Place {
  step: string
  variant: string
}

export interface StepListProps {
  campaign: Campaign
  view: SequenceView
  undo: Undo
  step: StepDraft | undefined
  /** The key of the variant that is shown. */
  place: string
  setPlace: (place: Place) => void
  issues: TextCheck['issues']
  check: TextCheck | undefined
  custom: readonly string[]
  lead: Lead | null
}

export function placeIn(step: StepDraft | undefined): Place {
  return { step: step?.key ?? '', variant: step?.variants[0]?.key ?? '' }
}

/** The steps of a sequence in order. Steps on a branch path are indented. */
export function StepList(props: StepListProps) {
  const { view, undo, step } = props
  const { steps: draft, fixed } = view
  const work = useListWork(props)
  const bottom = work.adding(draft.at(-1)?.key ?? null)
  useStepKeys(step, work, fixed === null)
  return (
    <div className={styles['steps']} onKeyDown={(event) => undoPressed(event, work.takeBack)}>
      {draft.length === 0 && (
        <Empty
          title={text.none}
          action={
            <Button look="primary" disabledReason={fixed} onClick={bottom.addStep}>
              {text.addStep}
            </Button>
          }
        >
          {text.noneText}
        </Empty>
      )}
      {draft.map((one, index) => (
        <OneStep key={one.key} {...props} one={one} index={index} work={work} />
      ))}
      {draft.length > 0 && (
        <div className={styles['tools']}>
          <Button disabledReason={fixed} onClick={bottom.addStep}>
            {text.addStep}
          </Button>
          <Button disabledReason={fixed} quietReason onClick={bottom.addBranch}>
            {branchText.addBranch}
          </Button>
          <Button disabledReason={fixed} quietReason onClick={bottom.addTask}>
            {taskText.addTask}
          </Button>
          <Button
            look="quiet"
            disabledReason={undo.can ? null : branchText.nothingToUndo}
            quietReason
            onClick={work.takeBack}
          >
            {branchText.undo}
          </Button>
        </div>
      )}
      {view.branching && <p className={styles['keysHint']}>{branchText.keysHint}</p>}
    </div>
  )
}

interface ListWork {
  put: (next: StepDraft[], focus?: string) => void
  adding: (after: string | null) => Pick<StepMoves, 'addStep' | 'addBranch' | 'addTask'>
  addInWay: (step: string, exit: number) => void
  remove: (key: string) => void
  moves: (key: string) => StepMoves
  takeBack: () => void
}

function useListWork({ campaign, view, undo, setPlace }: StepListProps): ListWork {
  const draft = view.steps
  const focusOn = useFocus()
  const put = (next: StepDraft[], focus?: string): void => {
    undo.change(next)
    if (focus !== undefined) focusOn(focus)
  }
  const show = (next: StepDraft[], added: StepDraft): void => {
    put(next, added.key)
    setPlace(placeIn(added))
  }
  const takeBack = (): void => {
    if (!undo.can) return
    undo.undo()
    say(branchText.undone)
  }
  const adding: ListWork['adding'] = (after) => ({
    addStep() {
      const added = newStep(crypto.randomUUID(), draft.length === 0)
      show(withStepAfter(draft, after, added), added)
    },
    addBranch() {
      const added = newBranchStep(crypto.randomUUID(), draft.length === 0, likelyQuestion(campaign.settings))
      show(withStepAfter(draft, after, added), added)
    },
    addTask() {
      const added = newTaskStep(crypto.randomUUID(), draft.length === 0)
      show(withStepAfter(draft, after, added), added)
    },
  })
  const remove = (key: string): void => {
    const index = draft.findIndex((step) => step.key === key)
    const next = withoutStep(draft, key)
    const near = next[Math.min(index, next.length - 1)]
    put(next, near?.key)
    setPlace(placeIn(near))
    say(branchText.removed(numberText(index + 1)), undo.undo)
  }
  const moving = (moved: StepDraft[] | null, key: string): (() => void) | undefined =>
    moved === null ? undefined : () => put(moved, key)
  return {
    put,
    adding,
    remove,
    takeBack,
    addInWay(step, exit) {
      const added = newStep(crypto.randomUUID(), false)
      show(withStepInArm(draft, { step, exit }, added), added)
    },
    moves: (key) => ({
      up: moving(movedStep(draft, key, -1), key),
      down: moving(movedStep(draft, key, 1), key),
      indent: moving(indented(draft, key), key),
      outdent: moving(outdented(draft, key), key),
      remove: () => remove(key),
      ...adding(key),
    }),
  }
}

function OneStep({ one, index, work, ...props }: StepListProps & { one: StepDraft; index: number; work: ListWork }) {
  const { campaign, view, step, place, setPlace, issues, check, custom, lead } = props
  const { steps: draft } = view
  const change = (next: StepDraft): void => work.put(replaceAt(draft, index, next))
  const open = one.key === step?.key
  const moves = work.moves(one.key)
  if (one.type === 'branch')
    return (
      <BranchCard
        {...{ step: one, index, open, view, moves, change }}
        show={() => setPlace(placeIn(one))}
        addInWay={(exit) => work.addInWay(one.key, exit)}
      />
    )
  if (one.task !== null)
    return (
      <TaskCard
        {...{ step: one, index, open, view, moves, change }}
        task={one.task}
        show={() => setPlace(placeIn(one))}
      />
    )
  return (
    <StepCard
      {...{ step: one, index, open, view, moves, issues, check, custom, lead, change }}
      campaignId={campaign.id}
      variantKey={place}
      show={(variant) => setPlace({ step: one.key, variant })}
      addVariant={() => {
        const added = copiedVariant(crypto.randomUUID(), one.variants)
        change({ ...one, variants: [...one.variants, added] })
        setPlace({ step: one.key, variant: added.key })
      }}
    />
  )
}

/** Moves the focus to a step that was added or moved, even if it is now at another place. */
function useFocus(): (key: string) => void {
  const [wanted, setWanted] = useState<{ key: string } | null>(null)
  const done = useRef<object | null>(null)
  useEffect(() => {
    if (wanted === null || done.current === wanted) return
    const head = document.querySelector<HTMLElement>(`[data-step="${CSS.escape(wanted.key)}"]`)
    if (head === null) return
    done.current = wanted
    head.focus()
  })
  return (key) => setWanted({ key })
}

function useStepKeys(step: StepDraft | undefined, work: ListWork, may: boolean): void {
  const { addStep, addBranch } = work.adding(step?.key ?? null)
  useKeys(
    may
      ? [
          { keys: 'a', label: branchText.stepBelow, act: addStep },
          { keys: 'b', label: branchText.branchBelow, act: addBranch },
          { keys: 'z', label: branchText.undo, act: work.takeBack },
        ]
      : [],
  )
}

/** Inside a text field the field's own undo is used. */
function undoPressed(event: KeyboardEvent<HTMLElement>, takeBack: () => void): void {
  const { key, ctrlKey, metaKey, shiftKey, target } = event
  if (key !== 'z' || !(ctrlKey || metaKey) || shiftKey) return
  if (target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName))) return
  event.preventDefault()
  takeBack()
}
