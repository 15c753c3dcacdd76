import { z } from 'zod'

/** Source: docs/contract.md, "AI and credits". */
export const planIds = ['trial', 'starter', 'growth', 'scale', 'self_hosted'] as const
export const planId = z.enum(planIds).meta({ id: 'PlanId' })
export type PlanId = z.infer<typeof planId>

export interface Plan {
  /** Credits of the live environment: per month, or once. */
  credits: number
  interval: 'month' | 'once'
  /** The part of them that lead search and reveal may spend, counted per environment; null means all of them. */
  leadCreditCap: number | null
  trialDays: number | null
  /** US cents a month, or null if the plan is not for sale. */
  priceCents: number | null
}

export const plans: Record<PlanId, Plan> = {
  trial: { credits: 100, interval: 'once', leadCreditCap: 50, trialDays: 14, priceCents: null },
  starter: { credits: 1000, interval: 'month', leadCreditCap: null, trialDays: null, priceCents: 4900 },
  growth: { credits: 5000, interval: 'month', leadCreditCap: null, trialDays: null, priceCents: 14900 },
  scale: { credits: 25000, interval: 'month', leadCreditCap: null, trialDays: null, priceCents: 49900 },
  self_hosted: { credits: 10000, interval: 'once', leadCreditCap: null, trialDays: null, priceCents: null },
}

/** Play credits of every test environment, given once. Source: docs/contract.md, "Accounts and keys". */
export const testEnvironmentCredits = 1000

export const ledgerEntryType = z
  .enum(['grant', 'purchase', 'charge', 'refund', 'expiry'])
  .meta({ id: 'LedgerEntryType' })
export type LedgerEntryType = z.infer<typeof ledgerEntryType>

/** Prices in credits. Source: docs/contract.md, "AI and credits". */
export const creditPrices = { searchPage: 1, revealEmail: 1, revealMobile: 10 } as const
