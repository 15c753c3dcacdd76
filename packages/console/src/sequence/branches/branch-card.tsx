import { numberText } from '../../platform/time/format.ts'
import { BranchForm, type BranchFormProps } from './branch-form.tsx'
import { text } from './branches.messages.ts'
import { StepHead, type StepMoves } from '../step-head.tsx'
import { timingText } from '../texts/step-texts.ts'
import { text as sequenceText } from '../sequence.messages.ts'
import styles from '../sequence.module.css'

export interface BranchCardProps extends BranchFormProps {
  open: boolean
  show: () => void
  moves: StepMoves
}

const depthMax = 4

/** A step that decides on which path each lead continues. */
export function BranchCard({ open, show, moves, ...form }: BranchCardProps) {
  const { step, index, view } = form
  return (
    <section
      className={styles['step']}
      data-open={open}
      data-depth={Math.min(view.outlineAt(step.key).arms.length, depthMax)}
      aria-label={sequenceText.step(numberText(index + 1))}
    >
      <StepHead
        {...{ step, index, open, show, view, moves }}
        timing={timingText(step, index, view.takesOver)}
        gist={open ? '' : [...step.branches.map(({ label }) => label), text.otherwise].join(' · ')}
      >
        {open && <BranchForm {...form} />}
      </StepHead>
    </section>
  )
}
