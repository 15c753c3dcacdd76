import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { createDns } from '../platform/mail/dns.client.ts'
import type { MailRoute } from './address-rules.ts'

/** Domains that are looked up at the same time. */
const lookupsAtOnceMax = 64

/**
 * Asks the name servers whether domains accept mail. A domain without MX records accepts mail at its own address (RFC 5321), and a single
 * empty MX says that it accepts none (RFC 7505). No mail server is contacted.
 */
export async function findMailRoutes(
  domains: readonly string[],
  { servers, signal }: { servers: readonly string[]; signal: AbortSignal },
): Promise<Map<string, MailRoute>> {
  const dns = createDns(servers)
  const cancel = () => dns.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const routes = new Map<string, MailRoute>()
    await forEachConcurrently(new Set(domains), lookupsAtOnceMax, async (domain) => {
      routes.set(domain, signal.aborted ? 'unknown' : await findMailRoute(dns, domain))
    })
    return routes
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function findMailRoute(dns: ReturnType<typeof createDns>, domain: string): Promise<MailRoute> {
  const exchanges = await dns.mx(domain)
  if (exchanges.kind === 'unknown') return 'unknown'
  if (exchanges.kind === 'found') return exchanges.values.every((name) => name === '') ? 'refused' : 'exists'
  const addresses = await dns.addresses(domain)
  if (addresses.kind === 'unknown') return 'unknown'
  return addresses.kind === 'found' ? 'exists' : 'none'
}
