import type { createDns } from '../platform/mail/dns.client.ts'
import { lookUpEach } from '../platform/mail/mail-exchanges.client.ts'
import type { MailRoute } from './address-rules.ts'

/**
 * Asks the name servers whether domains accept mail. A domain without MX records accepts mail at its own address (RFC 5321), and a single
 * empty MX says that it accepts none (RFC 7505). No mail server is contacted.
 */
export function findMailRoutes(
  domains: readonly string[],
  lookup: { servers: readonly string[]; signal: AbortSignal },
): Promise<Map<string, MailRoute>> {
  return lookUpEach<MailRoute>(domains, lookup, { ask: findMailRoute, unasked: 'unknown' })
}

async function findMailRoute(dns: ReturnType<typeof createDns>, domain: string): Promise<MailRoute> {
  const exchanges = await dns.mx(domain)
  if (exchanges.kind === 'unknown') return 'unknown'
  if (exchanges.kind === 'found') return exchanges.values.every((name) => name === '') ? 'refused' : 'exists'
  const addresses = await dns.addresses(domain)
  if (addresses.kind === 'unknown') return 'unknown'
  return addresses.kind === 'found' ? 'exists' : 'none'
}
