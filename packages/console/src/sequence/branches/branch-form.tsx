import { branchesMax } from '@overture/contract/vocabularies.ts'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { CheckField, TextField } from '../../platform/form/index.ts'
import { Button, Note } from '../../platform/ui/index.ts'
import { text } from './branches.messages.ts'
import styles from './branches.module.css'
import { ConditionForm } from './condition-form.tsx'
import { hasNot, newQuestion } from './conditions.ts'
import { IconButtons } from './icon-buttons.tsx'
import { newBranch, replaceAt, type BranchDraft } from '../draft.ts'
import sequenceStyles from '../sequence.module.css'
import { WaitFields, WayField, type StepPartProps } from '../wait-fields.tsx'

export interface BranchFormProps extends StepPartProps {
  index: number
  /** Adds a step at the beginning of a path. */
  addInWay: (exit: number) => void
}

/** The paths of a branch. A lead takes the first path whose condition is true. */
export function BranchForm({ step, index, change, view, addInWay }: BranchFormProps) {
  const { branches } = step
  const never = view.never(step)
  const put = (next: BranchDraft[]): void => change({ ...step, branches: next })
  const full = branches.length >= branchesMax ? text.waysMost : view.fixed
  return (
    <div className={sequenceStyles['stepBody']}>
      {(index > 0 || view.takesOver) && (
        <div className={sequenceStyles['timing']}>
          <WaitFields step={step} change={change} view={view} label={text.patience} />
        </div>
      )}
      {branches.map((branch, at) => (
        <WayCard
          key={branch.key}
          {...{ step, view, branch, at }}
          never={never.filter((message) => message.includes(JSON.stringify(branch.label)))}
          change={(next) => put(replaceAt(branches, at, next))}
          move={(by) => put(swapped(branches, at, at + by))}
          remove={() => put(branches.filter((one) => one !== branch))}
          add={() => addInWay(at)}
        />
      ))}
      <div>
        <Button
          small
          disabledReason={full}
          onClick={() => put([...branches, newBranch(crypto.randomUUID(), branches.length, newQuestion('field'))])}
        >
          {text.addWay}
        </Button>
      </div>
      <section className={styles['way']} aria-label={text.otherwise}>
        <div className={styles['wayHead']}>
          <h3>{text.otherwise}</h3>
        </div>
        <WayField
          view={view}
          step={step}
          label={text.othersGoTo}
          part="then"
          value={step.then}
          change={(then) => change({ ...step, then })}
        />
        <AddHere fixed={view.fixed} add={() => addInWay(branches.length)} />
      </section>
    </div>
  )
}

interface WayProps {
  step: StepPartProps['step']
  view: StepPartProps['view']
  branch: BranchDraft
  at: number
  never: readonly string[]
  change: (branch: BranchDraft) => void
  move: (by: number) => void
  remove: () => void
  add: () => void
}

function WayCard({ step, view, branch, at, never, change, move, remove, add }: WayProps) {
  const part = `branches[${at}]`
  const { label, when, goTo, immediately } = branch
  const fixed = view.fixed !== null
  return (
    <section className={styles['way']} aria-label={text.way(label)}>
      <div className={styles['wayHead']}>
        <h3>{text.way(label)}</h3>
        <WayButtons at={at} count={step.branches.length} fixed={view.fixed} move={move} remove={remove} />
      </div>
      {never.map((message) => (
        <Note key={message} tone="warn">
          {message}
        </Note>
      ))}
      <TextField
        label={text.label}
        maxLength={100}
        value={label}
        change={(next) => change({ ...branch, label: next })}
        error={view.issueAt(step.key, `${part}.label`)}
      />
      <fieldset>
        <legend className={styles['legend']}>{text.when}</legend>
        <ConditionForm
          value={when}
          change={(next) => change({ ...branch, when: next })}
          issueAt={(path) => view.issueAt(step.key, `${part}.when${path}`)}
          askable={view.askable}
          disabled={fixed}
        />
      </fieldset>
      <WayField
        view={view}
        step={step}
        label={text.goToOf(label)}
        part={`${part}.goTo`}
        handsOver
        value={goTo}
        change={(target) => change({ ...branch, goTo: target })}
      />
      <CheckField
        label={text.immediately}
        hint={hasNot(when) ? text.notImmediately : text.immediatelyHint}
        disabled={fixed || (hasNot(when) && !immediately)}
        checked={immediately}
        change={(next) => change({ ...branch, immediately: next })}
        error={view.issueAt(step.key, `${part}.immediately`)}
      />
      <AddHere fixed={view.fixed} add={add} />
    </section>
  )
}

function WayButtons({
  at,
  count,
  fixed,
  move,
  remove,
}: {
  at: number
  count: number
  fixed: string | null
  move: (by: number) => void
  remove: () => void
}) {
  const buttons = [
    { label: text.wayUp, Icon: ArrowUp, act: at === 0 ? undefined : () => move(-1) },
    { label: text.wayDown, Icon: ArrowDown, act: at === count - 1 ? undefined : () => move(1) },
    { label: text.removeWay, Icon: Trash2, act: count === 1 ? undefined : remove },
  ]
  return <IconButtons buttons={buttons} fixed={fixed} />
}

function AddHere({ fixed, add }: { fixed: string | null; add: () => void }) {
  return (
    <div>
      <Button small disabledReason={fixed} quietReason onClick={add}>
        {text.addHere}
      </Button>
    </div>
  )
}

function swapped<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.map((one, at) => (at === from ? items[to]! : at === to ? items[from]! : one))
}
