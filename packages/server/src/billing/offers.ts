import { creditPacks, currency, type CheckoutInput } from '@overture/contract/accounts/billing.ts'
import { plans, type PlanId } from '@overture/contract/accounts/credits.ts'

/** The offers: a pack is bought once, a plan is paid monthly. Prices are in the currency's smallest unit. */
type Offer =
  | { kind: 'pack'; id: string; credits: number; name: string; priceCents: number }
  | { kind: 'plan'; id: PlanId; name: string; priceCents: number }

/** The offer that a checkout names, or null if it is not for sale. */
export function findOffer(input: Pick<CheckoutInput, 'pack' | 'plan'>): Offer | null {
  if (input.pack !== undefined) {
    const pack = creditPacks.find((candidate) => candidate.id === input.pack)
    return pack ? { ...pack, kind: 'pack', name: `${pack.credits} credits` } : null
  }
  const priceCents = input.plan === undefined ? null : plans[input.plan].priceCents
  return input.plan === undefined || priceCents === null
    ? null
    : { kind: 'plan', id: input.plan, name: `Overture ${input.plan}`, priceCents }
}

/** The parameters of Stripe Checkout for an offer, with the metadata that our webhook needs to fulfil it. */
export function checkoutParameters(order: { offer: Offer; accountId: string; successUrl: string; cancelUrl: string }) {
  const { offer, accountId } = order
  const metadata = { accountId, [offer.kind]: offer.id }
  const price = { currency, unit_amount: offer.priceCents, product_data: { name: offer.name } }
  const shared = {
    client_reference_id: accountId,
    metadata,
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
  }
  if (offer.kind === 'pack') {
    return { ...shared, mode: 'payment' as const, line_items: [{ quantity: 1, price_data: price }] }
  }
  return {
    ...shared,
    mode: 'subscription' as const,
    line_items: [{ quantity: 1, price_data: { ...price, recurring: { interval: 'month' as const } } }],
    subscription_data: { metadata },
  }
}
