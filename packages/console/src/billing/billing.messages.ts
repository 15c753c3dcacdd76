import type { LedgerEntryType } from '@overture/sdk'
import { words } from '../platform/text/words.ts'

const types: Readonly<Record<LedgerEntryType, string>> = {
  grant: 'Granted',
  purchase: 'Purchased',
  charge: 'Spent',
  refund: 'Refunded',
  expiry: 'Expired',
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
  at: 'Date',
  none: 'No entries yet',
  noneText: 'Every change of your credit balance appears here.',
  buy: 'Buy credits',
  notSold: 'This server has no payment set up, so it sells no credits.',
  pack: (credits: string, price: string) => `${credits} credits for ${price}`,
  plans: { trial: 'Trial', starter: 'Starter', growth: 'Growth', scale: 'Scale', self_hosted: 'Self-hosted' },
})
