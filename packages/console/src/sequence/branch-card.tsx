import { numberText } from '../platform/time/format.ts'
import type { StepDraft } from './draft.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

/** A step that decides where each lead goes on: shown, and changed by the API. */
export function BranchCard({ step, index }: { step: StepDraft; index: number }) {
  const number = numberText(index + 1)
  return (
    <section className={styles['step']} aria-label={text.step(number)}>
      <header className={styles['stepHead']}>
        <span className={styles['number']} aria-hidden>
          {index + 1}
        </span>
        <h2>{text.branch}</h2>
        <span>{index === 0 ? text.now : text.waitText(numberText(step.wait.value), text.units[step.wait.unit])}</span>
        <span className={styles['gist']}>{step.branches.map(({ label }) => label).join(' · ')}</span>
      </header>
    </section>
  )
}
