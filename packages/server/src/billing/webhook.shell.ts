import type Stripe from 'stripe'
import { creditPacks } from '@overture/contract/accounts/billing.ts'
import { planIds, type PlanId } from '@overture/contract/accounts/credits.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'
import { changePlan, endPlan, grantCredits } from '../credits/index.ts'
import type { App } from '../platform/app.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Transaction } from '../platform/db/database.ts'
import { updatePaidPlan } from '../accounts/index.ts'
import {
  clearSubscription,
  findBillingAccount,
  findSubscriberAcrossAccounts,
  hasEndedSubscription,
  insertEndedSubscription,
  insertStripeEvent,
  insertStripeSession,
  lockSubscription,
  upsertBillingCustomer,
} from './billing.sql.ts'
import { openStripe } from './stripe.client.ts'

/**
 * Fulfils Stripe's events in any order. The transaction that fulfils an event also stores the ids of the event and the session,
 * so that a repeated event or a second event of one session never pays twice. Throws 400 for a bad signature.
 */
export async function handleStripeWebhook(app: App, rawBody: Buffer, signature: string): Promise<void> {
  const event = await verify(app, rawBody, signature)
  await app.db.transaction(async (tx) => {
    if (await insertStripeEvent(tx, event)) await fulfil(app, tx, event)
  })
}

async function verify(app: App, rawBody: Buffer, signature: string): Promise<Stripe.Event> {
  const { stripe, webhookSecret } = await openStripe(app)
  if (webhookSecret === null) throw new AppError('SERVICE_UNAVAILABLE', 'Payment is not configured.')
  try {
    return stripe.webhooks.constructEvent(rawBody, signature, webhookSecret)
  } catch {
    throw invalid({ path: 'stripe-signature', rule: 'signature', message: 'The signature is not valid.' })
  }
}

async function fulfil(app: App, tx: Transaction, event: Stripe.Event): Promise<void> {
  // Stripe has hundreds of event types. For the others only the id is stored.
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded') {
    await fulfilSession(app, tx, event.data.object)
  } else if (event.type === 'customer.subscription.deleted') {
    const now = app.clock.now()
    await lockSubscription(tx, event.data.object.id)
    await insertEndedSubscription(tx, event.data.object.id, now)
    const accountId = await findSubscriberAcrossAccounts(tx, event.data.object.id)
    if (accountId === null || !(await clearSubscription(tx, accountId, event.data.object.id))) return
    await endPlan(tx, accountId, now)
    await recordSystem(tx, { accountId, action: 'system.plans.end', targetId: accountId })
  }
}

async function fulfilSession(app: App, tx: Transaction, session: Stripe.Checkout.Session): Promise<void> {
  // A delayed payment arrives later as an async_payment_succeeded event.
  if (session.payment_status === 'unpaid') return
  const accountId = session.metadata?.['accountId'] ?? session.client_reference_id
  if (!accountId || !(await findBillingAccount(tx, accountId))) {
    app.log.error({ event: 'stripe.session_without_account', sessionId: session.id })
    return
  }
  const now = app.clock.now()
  if (!(await insertStripeSession(tx, { id: session.id, accountId, now }))) return
  const subscriptionId = textId(session.subscription)
  // Events arrive in any order, so a subscription that has already ended must not start a plan.
  if (subscriptionId) await lockSubscription(tx, subscriptionId)
  if (subscriptionId && (await hasEndedSubscription(tx, subscriptionId))) return
  const customerId = textId(session.customer)
  if (customerId) await upsertBillingCustomer(tx, accountId, { customerId, subscriptionId })
  const pack = creditPacks.find((candidate) => candidate.id === session.metadata?.['pack'])
  const plan = planIds.find((candidate) => candidate === session.metadata?.['plan'])
  if (pack) {
    await grantCredits(
      tx,
      { accountId, environment: 'live' },
      { type: 'purchase', amount: pack.credits, reason: `${pack.credits} credits bought`, reference: session.id, now },
    )
    const changes = [{ path: 'credits', before: null, after: pack.credits }]
    await recordSystem(tx, { accountId, action: 'system.credits.purchase', targetId: accountId, changes })
  } else if (plan) await startPaidPlan(tx, accountId, { plan, now })
  else app.log.error({ event: 'stripe.session_without_offer', sessionId: session.id })
}

// Paying for the same plan again is another payment: after the end the plan starts again, before the end its month restarts.
async function startPaidPlan(tx: Transaction, accountId: string, paid: { plan: PlanId; now: Date }): Promise<void> {
  await updatePaidPlan(tx, accountId, paid.plan)
  await changePlan(tx, accountId, paid.plan, paid.now)
  const changes = [{ path: 'plan', before: null, after: paid.plan }]
  await recordSystem(tx, { accountId, action: 'system.plans.start', targetId: accountId, changes })
}

function textId(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
