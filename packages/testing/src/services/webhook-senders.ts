import { createHmac } from 'node:crypto'

/** A webhook as its sender makes it: the exact bytes and every header that it sends. */
export interface SentWebhook {
  body: string
  headers: Record<string, string>
}

const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/**
 * Webhooks of Stripe, Cal.com and Calendly. Sources: docs.stripe.com/webhooks, "Verify manually" (several v1 while a secret is
 * rotated, v0 for test events); cal.com/docs/developing/guides/automation/webhooks and the sender in calcom/cal.com (the text
 * instead of a signature); developer.calendly.com/docs/webhooks/overview.
 */
export function stripeWebhook(event: object, signing: { secrets: readonly string[]; sentAt: Date }): SentWebhook {
  // Stripe sends its events with line breaks. A receiver that parses before it verifies fails.
  const body = JSON.stringify(event, null, 2)
  const timestamp = Math.floor(signing.sentAt.getTime() / 1000)
  const signatures = signing.secrets.map((secret) => `v1=${sign(secret, `${timestamp}.${body}`)}`)
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': [`t=${timestamp}`, ...signatures, `v0=${sign('test', body)}`].join(','),
    },
  }
}

/** Without a secret, Cal.com sends a text in place of the signature, so that the header is never empty. */
export function calComWebhook(
  triggerEvent: string,
  payload: object,
  signing: { secret: string | null; sentAt: Date },
): SentWebhook {
  const body = JSON.stringify({ triggerEvent, createdAt: signing.sentAt.toISOString(), payload })
  const signature = signing.secret === null ? 'no-secret-provided' : sign(signing.secret, body)
  return { body, headers: { 'content-type': 'application/json', 'x-cal-signature-256': signature } }
}

export function calendlyWebhook(
  event: string,
  payload: object,
  signing: { secret: string; sentAt: Date },
): SentWebhook {
  const createdAt = signing.sentAt.toISOString()
  const body = JSON.stringify({ event, created_at: createdAt, created_by: 'https://api.calendly.com/users/A', payload })
  const timestamp = Math.floor(signing.sentAt.getTime() / 1000)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Calendly',
      'calendly-webhook-signature': `t=${timestamp},v1=${sign(signing.secret, `${timestamp}.${body}`)}`,
    },
  }
}
