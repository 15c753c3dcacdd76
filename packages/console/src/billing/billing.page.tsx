import type { Billing, Checkout, CreateCheckoutInput, LedgerEntry, Prices } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { useReading } from '../platform/api/query.ts'
import { ListTable, type Column } from '../platform/table/index.ts'
import { dateText, datesText, moneyText, numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import { Button, Empty, ErrorNote, Panel, Row, Shown, Stats } from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { text, typeText } from './billing.messages.ts'

export function BillingPage() {
  const billing = useReading<Billing>({ key: ['billing', 'one'], read: (api) => api.billing.get() })
  return (
    <SettingsPage tab="billing">
      <Shown of={billing}>
        {({ plan, balance, period, trial }) => (
          <Stats
            items={[
              { label: text.plan, value: text.plans[plan] },
              { label: text.balance, value: numberText(balance) },
              { label: text.period, value: datesText(period.start, period.end) },
              ...(trial === null ? [] : [{ label: text.trialEnds, value: dateText(trial.endsAt) }]),
            ]}
          />
        )}
      </Shown>
      <Buy />
      <Panel flush title={text.ledger}>
        <ListTable
          label={text.ledger}
          reading={{ key: ['billing', 'ledger'], page: (api, place) => api.billing.ledger.list(place).page() }}
          columns={columns}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/billing/ledger" />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
    </SettingsPage>
  )
}

const columns: Column<LedgerEntry>[] = [
  { name: text.type, cell: ({ type }) => typeText[type] },
  { name: text.reason, cell: ({ reason }) => reason },
  { name: text.amount, number: true, cell: ({ amount }) => numberText(amount) },
  { name: text.after, number: true, cell: ({ balanceAfter }) => numberText(balanceAfter) },
  { name: text.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function Buy() {
  const prices = useReading<Prices>({ key: ['billing', 'prices'], read: (api) => api.billing.prices() })
  const checkout = useAction<NonNullable<CreateCheckoutInput['pack']>, Checkout>({
    act: (api, pack) => api.billing.checkout({ pack, successUrl: location.href, cancelUrl: location.href }),
    done: ({ url }) => location.assign(url),
  })
  if (prices.data?.packs.length === 0)
    return (
      <Panel title={text.buy}>
        <p>{text.notSold}</p>
      </Panel>
    )
  return (
    <Panel title={text.buy}>
      <Row>
        {(prices.data?.packs ?? []).map(({ id, credits, priceCents }) => (
          <Button
            operation="createCheckout"
            key={id}
            busy={checkout.isPending}
            onClick={() => checkout.mutate(id as NonNullable<CreateCheckoutInput['pack']>)}
          >
            {text.pack(numberText(credits), moneyText(priceCents, prices.data?.currency ?? 'usd'))}
          </Button>
        ))}
      </Row>
      <ErrorNote error={checkout.error} />
    </Panel>
  )
}
