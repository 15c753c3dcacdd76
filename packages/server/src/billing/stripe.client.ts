import Stripe from 'stripe'
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

/** Throws SERVICE_UNAVAILABLE without configuration: everything else works without Stripe. */
export function openStripe(app: App): { stripe: Stripe; webhookSecret: string | null } {
  const settings = app.config.stripe
  if (!settings) throw new AppError('SERVICE_UNAVAILABLE', 'Payment is not configured.')
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

/** One session an idempotency key; Stripe's trouble is 503. */
export async function createSession(
  app: App,
  parameters: ReturnType<typeof checkoutParameters> & { customer?: string },
  idempotencyKey: string,
): Promise<CheckoutSession> {
  const { stripe } = openStripe(app)
  try {
    const session = await stripe.checkout.sessions.create(parameters, { idempotencyKey })
    if (!session.url) throw new Error('a session without a url')
    return {
      id: session.id,
      url: session.url,
      expiresAt: session.expires_at ? new Date(session.expires_at * 1000) : null,
    }
  } catch (error) {
    app.log.warn({ event: 'stripe_failed', reason: (error as Error).name })
    throw new AppError('SERVICE_UNAVAILABLE', 'Payment is not available right now.')
  }
}
