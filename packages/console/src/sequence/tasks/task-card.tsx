import { numberText } from '../../platform/time/format.ts'
import { text as sequenceText } from '../sequence.messages.ts'
import styles from '../sequence.module.css'
import { StepHead, type StepMoves } from '../step-head.tsx'
import { timingText } from '../texts/step-texts.ts'
import { TaskForm, type TaskFormProps } from './task-form.tsx'
import { channelText } from './task-steps.messages.ts'

interface TaskCardProps extends TaskFormProps {
  open: boolean
  show: () => void
  moves: StepMoves
}

const depthMax = 4

/** A step that a person does. */
export function TaskCard({ open, show, moves, ...form }: TaskCardProps) {
  const { step, index, view, task } = form
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
        gist={open ? '' : [channelText[task.channel], task.title].filter((part) => part !== '').join(' · ')}
      >
        {open && <TaskForm {...form} />}
      </StepHead>
    </section>
  )
}
