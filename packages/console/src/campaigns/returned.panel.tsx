import { useState } from 'react'
import { numberText } from '../platform/time/format.ts'
import { Button, Confirm, ErrorNote, Note, Row } from '../platform/ui/index.ts'
import { useResolveReturned } from './campaigns.actions.ts'
import { text } from './campaigns.messages.ts'
import { useReturned } from './campaigns.queries.ts'

/** Offers the decision about returned messages and asks for a confirmation. */
export function ReturnedNote({ id }: { id: string }) {
  const [asking, setAsking] = useState<'send_again' | 'skip' | null>(null)
  const count = useReturned(id).data ?? 0
  const resolve = useResolveReturned(id, () => setAsking(null))
  if (count === 0) return null
  const label = asking === 'skip' ? text.skipReturned : text.sendAgain
  return (
    <Note tone="warn">
      <p>{returnedWords(count)}</p>
      <p>{text.returnedText}</p>
      <Row>
        <Button small operation="resolveReturned" onClick={() => setAsking('send_again')}>
          {text.sendAgain}
        </Button>
        <Button small operation="resolveReturned" onClick={() => setAsking('skip')}>
          {text.skipReturned}
        </Button>
      </Row>
      <ErrorNote error={resolve.error} />
      <Confirm
        title={returnedWords(count)}
        open={asking !== null}
        close={() => setAsking(null)}
        confirmLabel={label}
        busy={resolve.isPending}
        confirm={() => asking !== null && resolve.mutate(asking)}
      >
        <p>{asking === 'skip' ? text.skipText : text.sendAgainText}</p>
      </Confirm>
    </Note>
  )
}

export function returnedWords(count: number): string {
  return count === 1 ? text.returnedOne : text.returnedNote(numberText(count))
}
