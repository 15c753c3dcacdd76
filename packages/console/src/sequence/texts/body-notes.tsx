import type { TextCheck } from '../check.queries.ts'
import styles from '../sequence.module.css'
import { placed } from './placed.ts'
import { Proposals } from './proposals.tsx'
import { isProposed, proposalsFor } from './proposed-texts.ts'

/** The errors and proposals of a body, below its editor. */
export function BodyNotes({
  id,
  value,
  change,
  check,
  issues,
}: {
  id: string
  value: string
  change: (body: string) => void
  check: TextCheck | undefined
  issues: TextCheck['issues']
}) {
  const proposals = proposalsFor(check, 'body', value)
  const unsaid = issues.filter((issue) => issue.field === 'body' && !isProposed(issue, value, proposals))
  return (
    <>
      <p id={id} className={styles['issues']} role="status">
        {unsaid.map(placed).join(' ')}
      </p>
      <Proposals part="body" value={value} check={check} change={change} />
    </>
  )
}
