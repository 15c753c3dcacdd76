import { z } from 'zod'
import { listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { trial } from './account.ts'
import { ledgerEntryType, planId } from './credits.ts'
import { endpoint } from '../endpoint.ts'

/** Packs of credits for sale. Bought credits don't expire. */
export const creditPacks = [
  { id: 'credits_500', credits: 500, priceCents: 2900 },
  { id: 'credits_2000', credits: 2000, priceCents: 9900 },
  { id: 'credits_10000', credits: 10000, priceCents: 39900 },
] as const
export const creditPackIds = creditPacks.map((pack) => pack.id)
export const currency = 'usd'

export const billing = namedObject('Billing', {
  plan: planId,
  balance: z.number().int(),
  trial: trial.nullable(),
  period: z.strictObject({ start: timestamp, end: timestamp }),
})

export const ledgerEntry = namedObject('LedgerEntry', {
  id: z.string(),
  type: ledgerEntryType,
  amount: z.number().int(),
  balanceAfter: z.number().int(),
  reason: z.string(),
  reference: z.string().nullable(),
  createdAt: timestamp,
})

export const checkoutInput = z
  .strictObject({
    pack: z.enum(creditPackIds).optional(),
    plan: z.enum(['starter', 'growth', 'scale']).optional(),
    successUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    cancelUrl: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
  })
  .refine((input) => (input.pack === undefined) !== (input.plan === undefined), {
    path: ['pack'],
    message: 'Send either pack or plan.',
  })
  .meta({ id: 'CreateCheckoutInput' })
export type CheckoutInput = z.output<typeof checkoutInput>

const tag = 'Billing'
const read = { method: 'GET', scope: 'read', tag, success: [200] } as const

export const billingEndpoints = {
  getBilling: endpoint({
    ...read,
    operationId: 'getBilling',
    call: 'billing.get',
    path: '/v2/billing',
    environment: 'both',
    summary: 'Get plan, balance and period',
    description: 'Returns the values of the environment of the key.',
    output: billing,
  }),
  listLedgerEntries: endpoint({
    ...read,
    operationId: 'listLedgerEntries',
    call: 'billing.ledger.list',
    path: '/v2/billing/ledger',
    environment: 'both',
    summary: 'List ledger entries',
    description: 'Newest first. The balance is the sum of the amounts; charges and expiries are negative.',
    query: z.strictObject(pageQuery),
    output: listOf(ledgerEntry),
  }),
  getPrices: endpoint({
    ...read,
    operationId: 'getPrices',
    call: 'billing.prices',
    path: '/v2/billing/prices',
    environment: 'both',
    summary: 'Get prices',
    description:
      'The credit costs of search and reveal, and the credit packs for sale. A server without payment has no packs.',
    output: namedObject('Prices', {
      currency: z.string(),
      search: namedObject('SearchPrices', {
        creditsPerPage: z.number(),
        resultsPerPage: z.number(),
        repeatFreeHours: z.number(),
      }),
      reveal: z.strictObject({ email: z.number(), mobile: z.number() }),
      packs: z.array(namedObject('CreditPack', { id: z.string(), credits: z.number(), priceCents: z.number() })),
    }),
  }),
  listPlans: endpoint({
    ...read,
    operationId: 'listPlans',
    call: 'billing.plans',
    path: '/v2/billing/plans',
    environment: 'both',
    summary: 'List plans',
    description: 'Returns the plans with their limits.',
    output: namedObject('PlanList', {
      results: z.array(
        namedObject('Plan', {
          id: planId,
          credits: z.number(),
          interval: z.enum(['month', 'once']),
          trialDays: z.number().nullable(),
          leadCreditCap: z.number().nullable(),
          priceCents: z.number().nullable(),
          currency: z.string(),
          current: z.boolean(),
        }),
      ),
    }),
  }),
  createCheckout: endpoint({
    operationId: 'createCheckout',
    call: 'billing.checkout',
    method: 'POST',
    path: '/v2/billing/checkout',
    environment: 'live',
    scope: 'write',
    role: 'admin',
    tag,
    summary: 'Start a checkout',
    description:
      'Returns the URL of a Stripe Checkout page for a credit pack or a plan. Credits are added when Stripe confirms the payment.',
    body: checkoutInput,
    success: [201],
    output: namedObject('Checkout', { id: z.string(), url: z.string(), expiresAt: timestamp.nullable() }),
    errors: ['SERVICE_UNAVAILABLE'],
    examples: { body: { pack: 'credits_500' } },
  }),
} as const
