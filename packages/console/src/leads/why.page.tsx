import type { Explanation, LeadOnPath, Signal } from '@overture/sdk'
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
  LinkButton,
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
import { useExplanation, useSignals } from './leads.queries.ts'
import { text as pathText } from './path.messages.ts'
import { gateCures, lastingGate, reasonText } from './why/verdict.ts'
import { text as whyText } from './why/why.messages.ts'
import { DecisionPanel, EntriesPanel, PathPanel } from './path.panel.tsx'
import styles from './leads.module.css'

/** Why this lead was not mailed, gate by gate, and its history. */
export function WhyPage() {
  return <LeadPage tab="why">{(lead) => <Explained lead={lead} />}</LeadPage>
}

function Explained({ lead }: { lead: LeadOnPath }) {
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
          <Gates lead={lead} explanation={data} />
          <Columns>
            <DecisionPanel lead={lead} explanation={data} />
            <PathPanel lead={lead} explanation={data} />
            <EntriesPanel explanation={data} />
            <History lead={lead} explanation={data} />
          </Columns>
        </>
      )}
    </Shown>
  )
}

function Verdict({ lead, explanation }: { lead: LeadOnPath; explanation: Explanation }) {
  const { zone } = useTenantTime()
  const paths = usePaths()
  const { next, blockedReason, status, gates } = explanation
  const lasting = next === null ? null : lastingGate(explanation)
  const apiWords = useApiWords()
  const sender = useSenders().data?.results.find(({ id }) => id === next?.sendingAccountId)?.email
  const held = gates.find(({ gate }) => gate === blockedReason)
  const sendNow = useSendNow({ campaignId: lead.campaignId, leadId: lead.id }, () => say(text.queued))
  const when = next?.at ? text.nextAt(timeText(next.at, zone)) : text.nextUnknown
  const sentence =
    next === null
      ? text.noNext(lead.email, statusText[status])
      : lasting !== null
        ? whyText.nothing(lead.email, reasonText(lasting))
        : next.decision === null
          ? text.nextMail(lead.email, when, sender === undefined ? '' : text.nextFrom(sender))
          : branchSentence(lead.email, next, zone)
  return (
    <Panel label={text.whyNot}>
      <p className={styles['verdict']}>{sentence}</p>
      {lead.stoppedBy !== null && <p>{pathText.stoppedBy(ruleText(lead.stoppedBy.rule))}</p>}
      {lasting === null && blockedReason !== null && (
        <p>
          {text.heldBy(blockedReasonText(blockedReason))} {held !== undefined && apiWords(held.detail)}
        </p>
      )}
      <Row>
        {lasting !== null &&
          gateCures(lasting, { campaignId: lead.campaignId, leadId: lead.id, email: lead.email }, paths).map(
            ({ to, label }) => (
              <LinkButton key={label} to={to}>
                {label}
              </LinkButton>
            ),
          )}
        <AskFirst
          operation="sendNow"
          label={text.sendNow}
          title={text.sendNowTitle}
          disabledReason={noSendBecause(next, lasting)}
          action={sendNow}
        >
          {text.sendNowText(lead.email)}
        </AskFirst>
        <CopyButton label={text.copy} value={JSON.stringify(explanation, null, 2)} />
      </Row>
    </Panel>
  )
}

function branchSentence(email: string, { position, decision }: NonNullable<Explanation['next']>, zone: string): string {
  const at = decision?.decidesAt ?? null
  const when = at === null ? pathText.decidesUnknown : pathText.decides(timeText(at, zone))
  return pathText.atBranch(email, numberText(position), when)
}

function noSendBecause(next: Explanation['next'], lasting: ReturnType<typeof lastingGate>): string | null {
  if (next === null) return text.nothingNext
  if (next.type === 'branch') return pathText.branchNext
  if (next.type === 'task') return pathText.taskNext
  return lasting === null ? null : whyText.cantSend(reasonText(lasting))
}

/** The person or rule that stopped a lead. A rule newer than this page is shown by its own name. */
function ruleText(rule: string): string {
  return (pathText.rules as Readonly<Record<string, string>>)[rule] ?? rule.replaceAll('_', ' ')
}

function Gates({ lead, explanation }: { lead: LeadOnPath; explanation: Explanation }) {
  const { gates } = explanation
  const paths = usePaths()
  const apiWords = useApiWords()
  // Closed gates come first. Otherwise the order is that in which the gates are checked.
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
                  {apiWords(detail)} {until !== null && !detail.includes(until) && <Time at={until} />}
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

/** The name of a gate. A gate newer than this page is shown by its own name. */
function gateName(gate: string): string {
  return (gateText as Readonly<Record<string, string>>)[gate] ?? blockedReasonText(gate)
}

interface HistoryLine {
  at: string
  what: string
}

function History({ lead, explanation }: { lead: LeadOnPath; explanation: Explanation }) {
  const signals = useSignals(lead.id).data ?? []
  const history = explanation.history
    // Signals are listed separately, with their values.
    .filter(({ decision }) => decision !== 'signal.received')
    .map(({ at, decision, reason, detail }): HistoryLine => {
      const why = reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`
      return { at, what: `${eventTypeText(decision)}${why}${detail === null ? '' : ` (${detail})`}` }
    })
  const lines = [...history, ...signals.map(signalLine)].sort((a, b) => a.at.localeCompare(b.at))
  return (
    <Panel title={text.history}>
      <Lines label={text.history}>
        {lines.map(({ at, what }, index) => (
          <li key={index}>
            <Time at={at} />
            <Grow>{what}</Grow>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

function signalLine({ name, domain, value, occurredAt }: Signal): HistoryLine {
  const whose = domain === null ? '' : ` ${pathText.signalOf(domain)}`
  return { at: occurredAt, what: `${pathText.signal(name)}${whose}${value === null ? '' : `: ${value}`}` }
}
