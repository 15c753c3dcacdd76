import type { Explanation, Lead } from '@overture/sdk'
import { blockedReasonText } from '../campaigns/index.ts'
import { eventTypeText } from '../events/index.ts'
import { usePaths } from '../paths.ts'
import { numberText, timeText } from '../platform/time/format.ts'
import { Time, useTenantTime } from '../platform/time/now.tsx'
import {
  AskFirst,
  Badge,
  Columns,
  CopyButton,
  Grow,
  Lines,
  Link,
  Panel,
  Row,
  say,
  Shown,
} from '../platform/ui/index.ts'
import { useApiWords, useSenders } from '../sending-accounts/index.ts'
import { InDoubt } from './in-doubt.panel.tsx'
import { LeadPage } from './lead-frame.panel.tsx'
import { useSendNow } from './leads.actions.ts'
import { gateText, statusText, text } from './leads.messages.ts'
import { useExplanation } from './leads.queries.ts'
import styles from './leads.module.css'

/** Why this lead was not mailed, gate by gate, and what happened so far. */
export function WhyPage() {
  return <LeadPage tab="why">{(lead) => <Explained lead={lead} />}</LeadPage>
}

function Explained({ lead }: { lead: Lead }) {
  const explanation = useExplanation(lead.campaignId, lead.id)
  return (
    <Shown of={explanation}>
      {(data) => (
        <>
          <Verdict lead={lead} explanation={data} />
          {data.blockedReason === 'delivery_uncertain' && (
            <Row>
              <InDoubt lead={lead} />
            </Row>
          )}
          <Columns>
            <Gates lead={lead} explanation={data} />
            <History explanation={data} />
          </Columns>
        </>
      )}
    </Shown>
  )
}

function Verdict({ lead, explanation }: { lead: Lead; explanation: Explanation }) {
  const { zone } = useTenantTime()
  const { next, blockedReason, status, gates } = explanation
  const said = useApiWords()
  const sender = useSenders().data?.results.find(({ id }) => id === next?.sendingAccountId)?.email
  const held = gates.find(({ gate }) => gate === blockedReason)
  const sendNow = useSendNow({ campaignId: lead.campaignId, leadId: lead.id }, () => say(text.queued))
  const when = next?.at ? text.nextAt(timeText(next.at, zone)) : text.nextUnknown
  const sentence =
    next === null
      ? text.noNext(lead.email, statusText[status])
      : text.nextMail(lead.email, when, sender === undefined ? '' : text.nextFrom(sender))
  return (
    <Panel label={text.whyNot}>
      <p className={styles['verdict']}>{sentence}</p>
      {blockedReason !== null && (
        <p>
          {text.heldBy(blockedReasonText(blockedReason))} {held !== undefined && said(held.detail)}
        </p>
      )}
      <Row>
        <AskFirst
          label={text.sendNow}
          title={text.sendNowTitle}
          disabledReason={next === null ? text.nothingNext : null}
          action={sendNow}
        >
          {text.sendNowText(lead.email)}
        </AskFirst>
        <CopyButton label={text.copy} value={JSON.stringify(explanation, null, 2)} />
      </Row>
    </Panel>
  )
}

function Gates({ lead, explanation }: { lead: Lead; explanation: Explanation }) {
  const { gates } = explanation
  const paths = usePaths()
  const said = useApiWords()
  // What holds stands first; the order among equals is the one in which they are asked.
  const sorted = [...gates].sort((a, b) => Number(a.passed) - Number(b.passed))
  const passed = gates.filter((gate) => gate.passed).length
  return (
    <Panel title={text.gates} actions={text.gatesPassed(numberText(passed), numberText(gates.length))}>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={text.gates}>
        <table className={styles['gates']} aria-label={text.gates} role="table">
          <thead className="visually-hidden" role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                {text.gate}
              </th>
              <th scope="col" role="columnheader">
                {text.state}
              </th>
              <th scope="col" role="columnheader">
                {text.detail}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {sorted.map(({ gate, passed: ok, detail, until }) => (
              <tr key={gate} role="row">
                <th scope="row" role="rowheader">
                  {gateName(gate)}
                </th>
                <td role="cell">
                  <Badge tone={ok ? 'good' : 'bad'}>{ok ? text.passed : text.holds}</Badge>
                </td>
                <td role="cell">
                  {said(detail)} {until !== null && !detail.includes(until) && <Time at={until} />}
                  {gate === 'suppressed' && !ok && (
                    <Link to={`${paths.suppressions}?q=${encodeURIComponent(lead.email)}`}>
                      {text.suppressionEntry}
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** What is asked at a gate; one that is newer than this page by its own name. */
function gateName(gate: string): string {
  return (gateText as Readonly<Record<string, string>>)[gate] ?? blockedReasonText(gate)
}

function History({ explanation }: { explanation: Explanation }) {
  return (
    <Panel title={text.history}>
      <Lines label={text.history}>
        {explanation.history.map(({ at, decision, reason }) => (
          <li key={`${at}${decision}`}>
            <Time at={at} />
            <Grow>
              {eventTypeText(decision)}
              {reason !== null && `: ${reason.replaceAll('_', ' ')}`}
            </Grow>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}
