import { Button } from '../../platform/ui/index.ts'
import type { TextCheck } from '../check.queries.ts'
import { proposalsFor, replaced, type Part } from './proposed-texts.ts'
import { text } from '../sequence.messages.ts'
import styles from '../sequence.module.css'

/** The proposals of the check for a text, each with a button that changes the text. */
export function Proposals({
  check,
  part,
  value,
  change,
}: {
  check: TextCheck | undefined
  part: Part
  value: string
  change: (value: string) => void
}) {
  const proposals = proposalsFor(check, part, value)
  if (proposals.length === 0) return null
  return (
    <ul className={styles['proposals']} aria-label={text.proposals}>
      {proposals.map(({ at, message, replacement }) => (
        <li key={at.join('-')}>
          <span>{message}</span>
          {replacement !== null && (
            <Button small onClick={() => change(replaced(value, at, replacement))}>
              {text.changeForMe}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
