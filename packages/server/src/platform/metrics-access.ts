import { createHash, timingSafeEqual } from 'node:crypto'
import { isLoopbackAddress } from './mail/public-address.ts'

/** What a request says about who sends it. */
export interface MetricsAsker {
  authorization: string | undefined
  /** As known through the proxies that are believed. */
  address: string
  /** A proxy speaks that is not believed, so the address is its own. */
  isForwarded: boolean
}

const bearer = /^Bearer +(\S+) *$/i

/** Whoever shows the token; where none is set, programs of this machine. */
export function mayReadMetrics(token: string | null, asker: MetricsAsker): boolean {
  if (token === null) return !asker.isForwarded && isLoopbackAddress(asker.address)
  const given = bearer.exec(asker.authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
}

// Of one length whatever was sent, so that the comparison tells neither length nor beginning.
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
