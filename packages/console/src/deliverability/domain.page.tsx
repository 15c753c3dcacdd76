import type { DeliverabilityDomainDetail, DmarcSource, DomainSender, ProviderBounces } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { Figure, Lines as LineChart } from '../platform/chart/index.ts'
import { Filters, TextField, useSearchParams } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { type Column, Table } from '../platform/table/index.ts'
import { dateText, numberText, percentText, shortDateText } from '../platform/time/format.ts'
import { Badge, Button, Columns, Empty, Lines, Link, Page, Panel, Shown, Soft } from '../platform/ui/index.ts'
import {
  budgetText,
  DnsRecordLines,
  DeliverabilityBadge,
  reasonText,
  RecipientBudget,
  SenderStatusBadge,
} from '../sending-accounts/index.ts'
import { PlacementChart } from '../placement/index.ts'
import { text } from './deliverability.messages.ts'
import { key, useDomain } from './deliverability.queries.ts'

export function DomainPage() {
  const { domain } = usePathParams('/deliverability/$domain')
  const [{ from, to }, change] = useSearchParams()
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const detail = useDomain(domain, range)
  return (
    <Page title={domain}>
      <Filters label={text.filters}>
        <TextField label={text.from} type="date" value={from ?? ''} change={(value) => change({ from: value })} />
        <TextField label={text.to} type="date" value={to ?? ''} change={(value) => change({ to: value })} />
      </Filters>
      <Shown of={detail}>
        {(data) => (
          <>
            <Reports dmarc={data.dmarc} />
            <PlacementChart detail={data} />
            <Columns>
              <Records detail={data} again={() => void detail.refetch()} busy={detail.isFetching} />
              <Bounces detail={data} />
            </Columns>
            <Panel title={budgetText.title}>
              <RecipientBudget
                operation="updateDeliverabilityDomain"
                budget={data}
                save={(api, dailyExternalRecipients) =>
                  api.deliverability.domains.update(domain, { dailyExternalRecipients })
                }
                stale={key}
              />
            </Panel>
            <Panel
              flush
              title={text.senders}
              actions={
                data.state !== null && (
                  <>
                    {data.score !== null && <Soft>{text.score(numberText(data.score))}</Soft>}
                    <DeliverabilityBadge state={data.state} />
                  </>
                )
              }
            >
              {data.senders.length === 0 ? <p>{text.noSenders}</p> : <Senders senders={data.senders} />}
            </Panel>
          </>
        )}
      </Shown>
    </Page>
  )
}

function Records({
  detail: { dns },
  again,
  busy,
}: {
  detail: DeliverabilityDomainDetail
  again: () => void
  busy: boolean
}) {
  return (
    <Panel
      title={text.records}
      actions={
        dns && (
          <Button small busy={busy} onClick={again}>
            {text.checkedAgain}
          </Button>
        )
      }
    >
      {dns === null ? (
        <p>{text.noDomain}</p>
      ) : (
        <Lines label={text.records}>
          <DnsRecordLines checks={dns} />
        </Lines>
      )}
    </Panel>
  )
}

function Reports({ dmarc }: Pick<DeliverabilityDomainDetail, 'dmarc'>) {
  const { days, messages, passed, policy, sources } = dmarc
  if (messages === 0)
    return (
      <Panel title={text.reports}>
        <Empty title={text.noReports}>{text.noReportsText}</Empty>
      </Panel>
    )
  const policyText = policy === null ? '' : ` ${text.policy(policy)}`
  return (
    <Panel title={text.reports}>
      <Figure
        label={text.reports}
        sentence={`${text.sentence(numberText(messages), numberText(passed))}${policyText}`}
        table={{
          columns: [text.date, text.messages, text.passed, text.spf, text.dkim],
          rows: days.map((day) => [
            dateText(day.date),
            ...[day.messages, day.passed, day.spfAligned, day.dkimAligned].map(numberText),
          ]),
        }}
      >
        <LineChart
          labels={days.map(({ date }) => shortDateText(date))}
          series={[
            { name: text.messages, values: days.map((day) => day.messages) },
            { name: text.passed, values: days.map((day) => day.passed) },
          ]}
        />
      </Figure>
      <Table
        label={text.sources}
        columns={sourceColumns}
        rows={sources}
        rowKey={({ ip, disposition }) => `${ip} ${disposition}`}
      />
    </Panel>
  )
}

const sourceColumns: Column<DmarcSource>[] = [
  { name: text.ip, cell: ({ ip }) => <code>{ip}</code> },
  { name: text.messages, number: true, cell: ({ count }) => numberText(count) },
  { name: text.spf, number: true, cell: ({ spfAligned }) => numberText(spfAligned) },
  { name: text.dkim, number: true, cell: ({ dkimAligned }) => numberText(dkimAligned) },
  { name: text.disposition, cell: ({ disposition }) => text.dispositions[disposition] },
  {
    name: text.known,
    cell: ({ known }) => <Badge tone={known ? 'good' : 'warn'}>{known ? text.isKnown : text.notKnown}</Badge>,
  },
]

function Bounces({ detail: { bouncesByProvider, complaints } }: { detail: DeliverabilityDomainDetail }) {
  return (
    <Panel title={text.bounces}>
      {bouncesByProvider.length === 0 ? (
        <p>{text.noBounces}</p>
      ) : (
        <Table
          label={text.bounces}
          columns={bounceColumns}
          rows={bouncesByProvider}
          rowKey={({ provider }) => provider}
        />
      )}
      <p>{text.complaints(numberText(complaints.complaints), numberText(complaints.leads))}</p>
      <Soft>{text.complaintsNote}</Soft>
    </Panel>
  )
}

const bounceColumns: Column<ProviderBounces>[] = [
  { name: text.provider, cell: ({ provider }) => text.providers[provider] },
  { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
  { name: text.bounced, number: true, cell: ({ bounced }) => numberText(bounced) },
  { name: text.share, number: true, cell: ({ sent, bounced }) => (sent === 0 ? '' : percentText(bounced / sent)) },
]

function Senders({ senders }: { senders: readonly DomainSender[] }) {
  const paths = usePaths()
  const columns: Column<DomainSender>[] = [
    {
      name: text.account,
      cell: ({ sendingAccountId, email }) => <Link to={paths.sender(sendingAccountId)}>{email}</Link>,
    },
    { name: text.status, cell: ({ status }) => <SenderStatusBadge status={status} /> },
    { name: text.state, cell: ({ state }) => state && <DeliverabilityBadge state={state} /> },
    { name: text.reasons, cell: ({ reasons }) => reasons.map(reasonText).join('; ') },
    { name: text.sent, number: true, cell: ({ sent }) => numberText(sent) },
    { name: text.bounced, number: true, cell: ({ bounced }) => numberText(bounced) },
  ]
  return (
    <Table label={text.senders} columns={columns} rows={senders} rowKey={({ sendingAccountId }) => sendingAccountId} />
  )
}
