import { dayMs } from '../ground/time/spans.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'

const purpose = 'sign-in device'
export const deviceLifeMs = 365 * dayMs

/** What a browser keeps after a sign-in. It is bound to the address, so that it vouches for no other one. */
export function deviceToken(
  secrets: Pick<Secrets, 'signToken' | 'addressHash'>,
  { id, email, now }: { id: string; email: string; now: Date },
): string {
  const expiresAt = String(now.getTime() + deviceLifeMs)
  return secrets.signToken(purpose, [id, secrets.addressHash(email).toString('base64url'), expiresAt])
}

/** Returns the id of the browser if the token is ours, of this address and still valid. */
export function deviceIdOf(
  secrets: Pick<Secrets, 'verifyToken' | 'addressHash'>,
  { token, email, now }: { token: string | null | undefined; email: string; now: Date },
): string | null {
  const [id, address, expiresAt] = (token ? secrets.verifyToken(purpose, token) : null) ?? []
  if (id === undefined || address !== secrets.addressHash(email).toString('base64url')) return null
  return Number(expiresAt) > now.getTime() ? id : null
}
