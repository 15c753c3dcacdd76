import { randomUUID } from 'node:crypto'
import { billingEndpoints, creditPacks, currency } from '@overture/contract/accounts/billing.ts'
import { creditPrices, planIds, plans } from '@overture/contract/accounts/credits.ts'
import { AppError } from '@overture/contract/errors.ts'
import { searchPageSize } from '@overture/contract/lead-finder/lead-finder.ts'
import { countLedger, creditSummary, listLedger, type CreditSummary, type LedgerRow } from '../credits/index.ts'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config.ts'
import { answerList, byPosition } from '../platform/http/paging.ts'
import type { PublicRoute } from '../platform/http/public-route.ts'
import { phased, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { findBillingAccount, findBillingCustomer } from './billing.sql.ts'
import { checkoutParameters, findOffer } from './offers.ts'
import { createSession, stripeSettings } from './stripe.client.ts'
import { handleStripeWebhook } from './webhook.shell.ts'

export function billingRoutes(): Route[] {
  return [
    query(billingEndpoints.getBilling, (context) => getBilling(context)),
    query(billingEndpoints.listLedgerEntries, ({ app, tenant }, { query: page }) =>
      answerList(page, {
        key: byPosition,
        list: (range) => listLedger(app.db, tenant, range),
        count: () => countLedger(app.db, tenant),
        present: (rows) => rows.map(presentEntry),
      }),
    ),
    query(billingEndpoints.getPrices, ({ app }) => Promise.resolve(readPrices(app.config))),
    query(billingEndpoints.listPlans, async ({ app, tenant }) => {
      const current = (await creditSummary(app.db, tenant)).plan
      return { results: planIds.map((id) => ({ id, ...plans[id], currency, current: id === current })) }
    }),
    phased(billingEndpoints.createCheckout, async (context, { body }, answer) => {
      const session = await startCheckout(context, body)
      return answer(() =>
        Promise.resolve({ id: session.id, url: session.url, expiresAt: session.expiresAt?.toISOString() ?? null }),
      )
    }),
  ]
}

/** `POST /hooks/stripe`, signed by Stripe. The response is 200 after the effects of the event are committed. */
export function billingPublicRoutes(app: App): PublicRoute[] {
  return [
    {
      method: 'POST',
      path: '/hooks/stripe',
      async handler(request, reply) {
        const signature = request.headers['stripe-signature']
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await handleStripeWebhook(app, body, typeof signature === 'string' ? signature : '')
        return reply.code(200).send({ received: true })
      },
    },
  ]
}

// A server without payment sells nothing, so it names no packs.
const readPrices = ({ payments }: Pick<Config, 'payments'>) => ({
  currency,
  search: { creditsPerPage: creditPrices.searchPage, resultsPerPage: searchPageSize, repeatFreeHours: 24 },
  reveal: { email: creditPrices.revealEmail, mobile: creditPrices.revealMobile },
  packs: payments === null ? [] : creditPacks.map((pack) => ({ ...pack })),
})

async function getBilling({ app, tenant }: RequestContext) {
  const summary = await creditSummary(app.db, tenant)
  const account = await findBillingAccount(app.db, tenant.accountId)
  const endsAt = account?.trialEndsAt ?? null
  return {
    plan: summary.plan,
    balance: summary.balance,
    trial:
      summary.plan === 'trial' && endsAt !== null
        ? {
            endsAt: endsAt.toISOString(),
            leadCreditCap: summary.leadCreditCap ?? 0,
            leadCreditsUsed: summary.leadCreditsUsed,
          }
        : null,
    period: billingPeriod(summary, app.clock.now()),
  }
}

function presentEntry(row: LedgerRow) {
  const { id, type, amount, balanceAfter, reason, reference } = row
  return { id, type, amount, balanceAfter, reason, reference, createdAt: row.createdAt.toISOString() }
}

// A plan without renewal is counted by calendar months, like the request quota.
function billingPeriod(summary: CreditSummary, now: Date): { start: string; end: string } {
  const start = summary.period?.start ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const end = summary.period?.end ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return { start: start.toISOString(), end: end.toISOString() }
}

async function startCheckout(
  { app, tenant }: RequestContext,
  body: { pack?: string; plan?: string; successUrl?: string; cancelUrl?: string },
) {
  if (tenant.environment === 'test') {
    throw new AppError('SERVICE_UNAVAILABLE', 'Purchases are not available in the test environment. Use a live key.')
  }
  stripeSettings(app)
  const offer = findOffer(body as Parameters<typeof findOffer>[0])
  if (!offer) throw new AppError('SERVICE_UNAVAILABLE', 'This plan or pack is not available.')
  const home = app.config.publicUrl
  const parameters = checkoutParameters({
    offer,
    accountId: tenant.accountId,
    successUrl: body.successUrl ?? `${home}/?checkout=success`,
    cancelUrl: body.cancelUrl ?? `${home}/?checkout=cancelled`,
  })
  const customer = await findBillingCustomer(app.db, tenant.accountId)
  return createSession(app, { ...parameters, ...(customer && { customer }) }, randomUUID())
}
