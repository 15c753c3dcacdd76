import { createHmac, timingSafeEqual } from 'crypto'

const toleranceSeconds = 300
const secretPrefix = 'whsec_'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Whether this exact body was signed with the secret, and recently. */
export function isSigned(
  body: Buffer,
  headers: Headers,
  { secret, nowMs }: { secret: string; nowMs: number },
): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  )
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((candidate) => {
    const given = Buffer.from(candidate.startsWith('v1,') ? candidate.slice(3) : '', 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
