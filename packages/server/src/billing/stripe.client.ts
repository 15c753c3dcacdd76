import type Stripe from 'stripe'
import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { checkoutParameters } from './offers.ts'

const timeoutMs = 20_000
const retriesMax = 2

interface CheckoutSession {
  id: string
  url: string
  expiresAt: Date | null
}

interface OpenStripe {
  stripe: Stripe
  webhookSecret: string | null
}

/** Returns the settings. Throws SERVICE_UNAVAILABLE if payment is not configured; everything else works without Stripe. */
export function stripeSettings({ config }: App): NonNullable<App['config']['payments']> {
  if (!config.payments) throw new AppError('SERVICE_UNAVAILABLE', 'Payment is not configured.')
  return config.payments
}

/** The URL of the payment provider. Null if payment is not configured. */
export function paymentsUrl({ payments }: Pick<App['config'], 'payments'>): string | null {
  return payments && (payments.apiBaseUrl ?? 'https://api.stripe.com')
}

/** The library is loaded on first use, because most servers take no payments. */
export async function openStripe(app: App): Promise<OpenStripe> {
  const settings = stripeSettings(app)
  const { Stripe } = await import('stripe')
  const base = settings.apiBaseUrl === null ? null : new URL(settings.apiBaseUrl)
  const stripe = new Stripe(settings.secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port === '' ? undefined : Number(base.port),
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
  return { stripe, webhookSecret: settings.webhookSecret }
}

/** Creates one session per idempotency key. Errors of Stripe become 503. */
export async function createSession(
  app: App,
  parameters: ReturnType<typeof checkoutParameters> & { customer?: string },
  idempotencyKey: string,
): Promise<CheckoutSession> {
  const { stripe } = await openStripe(app)
  try {
    const session = await stripe.checkout.sessions.create(parameters, { idempotencyKey })
    if (!session.url) throw new Error('a session without a url')
    return {
      id: session.id,
      url: session.url,
      expiresAt: session.expires_at ? new Date(session.expires_at * 1000) : null,
    }
  } catch (error) {
    app.log.warn({ event: 'stripe.failed', reason: (error as Error).name })
    throw new AppError('SERVICE_UNAVAILABLE', 'The payment provider does not respond. Try again in a minute.')
  }
}
