import type { SendingAccount, Verification, VerifyCheck } from '@overture/sdk'
import { Badge, Details, Grow, Lines, Stack } from '../platform/ui/index.ts'
import { plainFailure } from './failures.ts'
import { checkText, text } from './senders.messages.ts'

type Servers = Pick<SendingAccount, 'smtp' | 'imap'>

/** The checks of a connection, each with its result and with advice if it failed. */
export function Checks({ verification, servers }: { verification: Verification; servers?: Servers | undefined }) {
  return (
    <Lines label={text.checks}>
      {verification.checks.map((check) => (
        <li key={check.name}>
          <Badge tone={check.ok ? 'good' : 'bad'}>{check.ok ? text.passed : text.failed}</Badge>
          <strong>{checkText[check.name]}</strong>
          <Grow>
            <Result check={check} servers={servers} />
          </Grow>
        </li>
      ))}
    </Lines>
  )
}

function Result({ check, servers }: { check: VerifyCheck; servers: Servers | undefined }) {
  const { name, ok, message, advice } = check
  const server = (name.startsWith('smtp') ? servers?.smtp : servers?.imap) ?? null
  const { sentence, details } = ok ? { sentence: message, details: null } : plainFailure(message, server)
  return (
    <Stack tight>
      <span>{sentence}</span>
      {advice !== null && <strong>{advice}</strong>}
      {details !== null && (
        <Details label={text.details}>
          <code>{details}</code>
        </Details>
      )}
    </Stack>
  )
}
