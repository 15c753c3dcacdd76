import { createHmac } from 'node:crypto'

interface ContentToSign {
  id: string
  /** Whole seconds since 1970, real time. */
  timestampS: number
  body: string
}

/** The three headers of Standard Webhooks. Each secret adds a signature, so that rotation breaks no receiver. */
export function signatureHeaders(signed: ContentToSign, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestampS),
    'webhook-signature': secrets.map((secret) => computeSignature(signed, secret)).join(' '),
  }
}

function computeSignature({ id, timestampS, body }: ContentToSign, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampS}.${body}`).digest('base64')}`
}
