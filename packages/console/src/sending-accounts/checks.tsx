import type { Verification } from '@overture/sdk'
import { Badge, Grow, Lines, Stack } from '../platform/ui/index.ts'
import { checkText, text } from './senders.messages.ts'

/** The checks of a connection, each with its result and with advice if it failed. */
export function Checks({ verification }: { verification: Verification }) {
  return (
    <Lines label={text.checks}>
      {verification.checks.map(({ name, ok, message, advice }) => (
        <li key={name}>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? text.passed : text.failed}</Badge>
          <strong>{checkText[name]}</strong>
          <Grow>
            <Stack tight>
              <span>{message}</span>
              {advice !== null && <strong>{advice}</strong>}
            </Stack>
          </Grow>
        </li>
      ))}
    </Lines>
  )
}
