import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'

export const attemptsKeptMs = 15 * minuteMs
const failuresPerNetworkMax = 20

export interface AttemptCounts {
  /** Failures of this address from this network. */
  ofPair: number
  /** Failures of this address from all networks, known browsers excluded. */
  ofAddress: number
  ofIp: number
  /** Failures from this network in the last minute. */
  ofIpInMinute: number
  /** The oldest counted failure. */
  firstOfPair: Date | null
  firstOfAddress: Date | null
  firstOfIp: Date | null
}

/** Prefix of the id of a known browser, which is stored in place of a network. */
export const devicePrefix = 'device '

export interface AttemptLimits {
  /** The limit for one address from one network or known browser. */
  perPairMax: number
  /** The limit for one address from all networks. Known browsers are neither counted nor blocked by it. */
  perAddressMax: number
}

/** Thirty guesses in 15 minutes find no password and no code, and a stranger needs several networks to lock out an address. */
export const signInLimits: AttemptLimits = { perPairMax: 5, perAddressMax: 30 }

/** The origin of a try: its network, or the known browser. */
export function attemptOrigin(network: string, deviceId: string | null): { ip: string; isKnown: boolean } {
  return deviceId === null ? { ip: network, isKnown: false } : { ip: `${devicePrefix}${deviceId}`, isKnown: true }
}

/** Returns the failure that has to be forgotten before the next try, or null if there is room for one. */
export function decisiveFailure(counts: AttemptCounts, isKnown: boolean, limits: AttemptLimits): Date | null {
  if (counts.ofPair >= limits.perPairMax) return counts.firstOfPair
  if (isKnown) return null
  if (counts.ofAddress >= limits.perAddressMax) return counts.firstOfAddress
  return counts.ofIp >= failuresPerNetworkMax ? counts.firstOfIp : null
}

const devicePurpose = 'sign-in device'
export const deviceLifeMs = 365 * dayMs

/** The token that a browser keeps after a sign-in. It is bound to the address, so it is invalid for any other address. */
export function deviceToken(
  secrets: Pick<Secrets, 'signToken' | 'addressHash'>,
  { id, email, now }: { id: string; email: string; now: Date },
): string {
  const expiresAt = String(now.getTime() + deviceLifeMs)
  return secrets.signToken(devicePurpose, [id, secrets.addressHash(email).toString('base64url'), expiresAt])
}

/** Returns the id of the browser if the token is ours, of this address and still valid. */
export function verifyDevice(
  secrets: Pick<Secrets, 'verifyToken' | 'addressHash'>,
  { token, email, now }: { token: string | null | undefined; email: string; now: Date },
): string | null {
  const [id, address, expiresAt] = (token ? secrets.verifyToken(devicePurpose, token) : null) ?? []
  if (id === undefined || address !== secrets.addressHash(email).toString('base64url')) return null
  return Number(expiresAt) > now.getTime() ? id : null
}
