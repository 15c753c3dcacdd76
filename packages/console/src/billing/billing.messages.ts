import type { LedgerEntryType } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const types: Readonly<Record<LedgerEntryType, string>> = {
  grant: 'Granted',
  purchase: 'Bought',
  charge: 'Spent',
  refund: 'Given back',
  expiry: 'Ran out',
}

export const typeText = words('ledgerTypes', types)

export const text = words('billing', {
  plan: 'Plan',
  balance: 'Credits',
  period: 'Period',
  trialEnds: 'Trial ends',
  ledger: 'Ledger',
  type: 'Entry',
  amount: 'Amount',
  after: 'Balance',
  reason: 'Reason',
  at: 'At',
  none: 'No entries yet',
  noneText: 'Every credit that comes or goes stands here.',
  buy: 'Buy credits',
  pack: (credits: string, price: string) => `${credits} credits for ${price}`,
  plans: { trial: 'Trial', starter: 'Starter', growth: 'Growth', scale: 'Scale', self_hosted: 'Self-hosted' },
})
