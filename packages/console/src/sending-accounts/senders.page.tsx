import type { SendingAccount } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useEnvironment } from '../platform/api/environment.tsx'
import { ChooseRow, Filters, useSearchParams } from '../platform/form/index.ts'
import { ListTable, useSelection, type Column, type Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Empty, ErrorNote, Link, LinkButton, Page, Panel, Row } from '../platform/ui/index.ts'
import { BulkTags, TagFilter, tagText } from '../tags/index.ts'
import { useMe } from '../users/index.ts'
import { text as paceText } from './pace/pace.messages.ts'
import { DeliverabilityBadge, DomainHealthBadge, SenderStatusBadge } from './badges.tsx'
import { useCreateSender } from './senders.actions.ts'
import { providerText, text } from './senders.messages.ts'
import { senderList } from './senders.queries.ts'

export function SendersPage() {
  const paths = usePaths()
  const connect = (
    <LinkButton look="primary" operation="createSendingAccount" to={paths.connectSender}>
      {text.connect}
    </LinkButton>
  )
  const test = useEnvironment() === 'test'
  const [{ tag }] = useSearchParams()
  const filter = tag === undefined ? {} : { tagId: tag }
  const reading = senderList(filter)
  const selection = useSelection<SendingAccount>(JSON.stringify(filter))
  return (
    <Page
      title={text.title}
      actions={
        <>
          {test && <Simulated />}
          <LinkButton operation="connectTenant" to={paths.organizations}>
            {text.organization}
          </LinkButton>
          {connect}
        </>
      }
    >
      <Filters label={text.filters}>
        <TagFilter />
      </Filters>
      <Panel flush label={text.list}>
        <ListTable
          label={text.list}
          reading={reading}
          columns={senderColumns(paths.sender, selection)}
          above={(total, shown) => (
            <BulkTags of="senders" selection={selection} shown={shown} every={{ total, page: reading.page }} />
          )}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/sending-accounts" query={filter} />}
          empty={
            tag === undefined ? (
              <Empty title={text.none} action={<Row>{connect}</Row>}>
                {text.noneText}
              </Empty>
            ) : (
              <Empty title={text.noneFit}>{text.noneFitText}</Empty>
            )
          }
        />
      </Panel>
    </Page>
  )
}

/** Creates a simulated sender. In the test environment a mailbox costs nothing, so no real mailbox is needed. */
function Simulated() {
  const me = useMe().data
  const { zone } = useTenantTime()
  const create = useCreateSender(() => undefined)
  const make = (): void =>
    create.mutate({
      email: `sender${crypto.randomUUID().slice(0, 4)}@sender.test`,
      fromName: me?.name ?? providerText.sandbox,
      provider: 'sandbox',
      timezone: zone,
    })
  return (
    <>
      <Button operation="createSendingAccount" busy={create.isPending} onClick={make}>
        {text.simulated}
      </Button>
      <ErrorNote error={create.error} />
    </>
  )
}

function senderColumns(to: (id: string) => string, selection: Selection<SendingAccount>): Column<SendingAccount>[] {
  return [
    {
      name: text.email,
      cell: (sender) => (
        <ChooseRow
          label={tagText.select(sender.email)}
          checked={selection.has(sender.id)}
          change={() => selection.toggle(sender)}
        >
          <Link to={to(sender.id)}>{sender.email}</Link>
        </ChooseRow>
      ),
    },
    { name: text.fromName, cell: ({ fromName }) => fromName },
    { name: text.provider, cell: ({ provider }) => providerText[provider] },
    { name: text.status, cell: ({ status }) => <SenderStatusBadge status={status} /> },
    {
      name: text.today,
      number: true,
      cell: ({ sentToday, deliverability }) =>
        text.ofLimit(numberText(sentToday), numberText(deliverability.allowanceToday)),
    },
    { name: paceText.state, cell: ({ deliverability }) => <DeliverabilityBadge state={deliverability.state} /> },
    {
      name: text.health,
      cell: ({ health }) => health && <DomainHealthBadge health={health} />,
    },
  ]
}
