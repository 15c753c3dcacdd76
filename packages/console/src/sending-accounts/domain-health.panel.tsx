import type { HealthCheck, HealthReport, SendingAccount } from '@overture/sdk'
import { Badge, Button, CopyButton, Grow, Lines, Panel, Row, Shown, Stack } from '../platform/ui/index.ts'
import { HealthBadge } from './badges.tsx'
import { text } from './senders.messages.ts'
import { useHealth } from './senders.queries.ts'

const records = ['spf', 'dkim', 'dmarc', 'mx', 'tracking'] as const

/** The DNS records of the domain that receivers look up, and what to change where one is wrong. */
export function DomainHealth({ sender }: { sender: SendingAccount }) {
  if (sender.provider === 'sandbox')
    return (
      <Panel title={text.healthTitle}>
        <p>{text.noHealth}</p>
      </Panel>
    )
  return <Report sender={sender} />
}

function Report({ sender }: { sender: SendingAccount }) {
  const health = useHealth(sender.id)
  return (
    <Panel
      title={text.healthTitle}
      actions={
        <Button small busy={health.isFetching} onClick={() => void health.refetch()}>
          {text.checkAgain}
        </Button>
      }
    >
      <Shown of={health}>
        {(report) => (
          <Lines label={text.healthTitle}>
            {report.warnings.map(({ code, message }) => (
              <li key={code}>
                <Badge tone="warn">{text.warning}</Badge>
                <Grow>{message}</Grow>
              </li>
            ))}
            <DnsRecordLines checks={report} />
          </Lines>
        )}
      </Shown>
    </Panel>
  )
}

type Checks = { readonly [Name in (typeof records)[number]]?: HealthReport[Name] }

/** A line per DNS record, with what to publish where one is wrong. */
export function DnsRecordLines({ checks }: { checks: Checks }) {
  return records.map((name) => <RecordLine key={name} name={name} check={checks[name] ?? null} />)
}

function RecordLine({ name, check }: { name: (typeof records)[number]; check: HealthCheck | null }) {
  if (check === null) return null
  return (
    <li>
      <strong>{text.records[name]}</strong>
      <HealthBadge status={check.status} />
      <Grow>
        <Stack tight>
          <span>{check.message}</span>
          {check.put !== null && (
            <>
              <span>{text.put(check.put.type, check.put.name)}</span>
              <code>{check.put.value}</code>
              <Row>
                <CopyButton small label={text.copyRecord(text.records[name])} value={check.put.value} />
              </Row>
            </>
          )}
        </Stack>
      </Grow>
    </li>
  )
}
