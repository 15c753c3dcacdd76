import { TextField } from '../../platform/form/index.ts'
import type { TextCheck } from '../check.queries.ts'
import { placed } from './placed.ts'
import { Proposals } from './proposals.tsx'
import { isProposed, proposalsFor } from './proposed-texts.ts'
import { text } from '../sequence.messages.ts'

const lengthMax = 998

/** The subject of a message, with its errors and proposals below it. */
export function SubjectField({
  value,
  change,
  check,
  issues,
  refused,
}: {
  value: string
  change: (subject: string) => void
  check: TextCheck | undefined
  issues: TextCheck['issues']
  /** The API's message about the subject as it was sent. */
  refused: string | undefined
}) {
  const issue = issues.find(({ field }) => field === 'subject')
  const isSaidBelow = issue !== undefined && isProposed(issue, value, proposalsFor(check, 'subject', value))
  return (
    <>
      <TextField
        label={text.subject}
        value={value}
        maxLength={lengthMax}
        change={change}
        error={isSaidBelow ? undefined : issue === undefined ? refused : placed(issue)}
      />
      <Proposals part="subject" value={value} check={check} change={change} />
    </>
  )
}
