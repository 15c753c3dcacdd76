import { useState } from 'react'
import { numberText } from '../platform/time/format.ts'
import { Button, ErrorNote, Note, Row } from '../platform/ui/index.ts'
import { text } from './imports.messages.ts'

interface LeftOutProps {
  /** The number of left-out people: they are or were in another campaign. */
  count: number
  add: () => void
  run: { isPending: boolean; error: unknown }
}

/** Asks whether people of other campaigns are added, too. Without an answer they stay out. */
export function LeftOut({ count, add, run: { isPending, error } }: LeftOutProps) {
  const [answered, setAnswered] = useState(false)
  if (count === 0 || answered) return null
  const number = numberText(count)
  return (
    <Note tone="warn" role="alert">
      <p>{text.elsewhere(number)}</p>
      <Row>
        <Button small operation="importCampaignLeads" busy={isPending} onClick={add}>
          {text.addElsewhere(number)}
        </Button>
        <Button small look="quiet" onClick={() => setAnswered(true)}>
          {text.leaveOut}
        </Button>
      </Row>
      <ErrorNote error={error} />
    </Note>
  )
}
