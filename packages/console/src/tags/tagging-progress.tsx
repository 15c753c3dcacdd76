import { totalText } from '../platform/api/list-total.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Note, Progress } from '../platform/ui/index.ts'
import { idsMax } from './tagging.ts'
import type { useTagging } from './tags.actions.ts'
import { text } from './tags.messages.ts'

/** How far a change of many resources has come, and how far it came before it failed. */
export function TaggingProgress({ tagging }: { tagging: ReturnType<typeof useTagging> }) {
  if (tagging.run === null) return null
  const { total, done } = tagging.run.tagging
  if (tagging.stopped !== null)
    return done === 0 ? null : (
      <Note tone="warn">
        <p>{text.stopped(numberText(done), totalText(total))}</p>
      </Note>
    )
  if (total.count <= idsMax) return null
  return (
    <>
      <Progress label={text.progress} value={done} max={total.count} />
      <p role="status">{text.sent(numberText(done), totalText(total))}</p>
      <Button small onClick={tagging.halt}>
        {text.halt}
      </Button>
    </>
  )
}
