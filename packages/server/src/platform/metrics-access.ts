import { createHash, timingSafeEqual } from 'node:crypto'
import { isLoopbackAddress } from './mail/public-address.ts'

/** The facts about a client that requests the metrics. */
export interface MetricsAsker {
  authorization: string | undefined
  /** Its address, as reported through the trusted proxies. */
  address: string
  /** True if an untrusted proxy forwarded the request, so that the address is the proxy's. */
  isForwarded: boolean
}

const bearer = /^Bearer +(\S+) *$/i

/** Whether the client sent the token. If no token is set, only programs on this machine are accepted. */
export function mayReadMetrics(token: string | null, asker: MetricsAsker): boolean {
  if (token === null) return !asker.isForwarded && isLoopbackAddress(asker.address)
  const given = bearer.exec(asker.authorization ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digestText(given), digestText(token))
}

// The digests have the same length for any input, so the comparison reveals neither the length nor the beginning of the token.
function digestText(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
