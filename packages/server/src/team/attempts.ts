import { minuteMs } from '../ground/time/spans.ts'
import { networkOf } from '../platform/http/address-rates.ts'
import type { AttemptCounts } from './attempts.sql.ts'

export const attemptsKeptMs = 15 * minuteMs
const failuresPerNetworkMax = 20

export interface AttemptLimits {
  /** Of one address from one network or known browser. */
  perPairMax: number
  /** Of one address from all networks. Known browsers are neither counted nor stopped by it. */
  perAddressMax: number
}

/** Thirty guesses in 15 minutes find no password and no code, and strangers need several networks to reach it. */
export const signInLimits: AttemptLimits = { perPairMax: 5, perAddressMax: 30 }

/** Where a try comes from: IPv6 addresses of one network are one place. */
export function placeOf(ip: string, deviceId: string | null): { ip: string; isKnown: boolean } {
  return deviceId === null ? { ip: networkOf(ip), isKnown: false } : { ip: `device ${deviceId}`, isKnown: true }
}

/** Returns the failure that has to be forgotten before the next try, or null if there is room for one. */
export function decisiveFailure(counts: AttemptCounts, isKnown: boolean, limits: AttemptLimits): Date | null {
  if (counts.ofPair >= limits.perPairMax) return counts.firstOfPair
  if (isKnown) return null
  if (counts.ofAddress >= limits.perAddressMax) return counts.firstOfAddress
  return counts.ofIp >= failuresPerNetworkMax ? counts.firstOfIp : null
}
