import type { Verification } from '@overture/sdk'
import { Badge, Grow, Lines } from '../platform/ui/index.ts'
import { checkText, text } from './senders.messages.ts'

/** What was tried, and what came of each. */
export function Checks({ verification }: { verification: Verification }) {
  return (
    <Lines label={text.checks}>
      {verification.checks.map(({ name, ok, message }) => (
        <li key={name}>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? text.passed : text.failed}</Badge>
          <strong>{checkText[name]}</strong>
          <Grow>{message}</Grow>
        </li>
      ))}
    </Lines>
  )
}
