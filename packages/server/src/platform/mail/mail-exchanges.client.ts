import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { createDns } from './dns.client.ts'

/** Domains that are looked up at the same time. */
const lookupsAtOnceMax = 64

type Dns = ReturnType<typeof createDns>
type Exchanges = Awaited<ReturnType<Dns['mx']>>

interface Lookup {
  servers: readonly string[]
  signal: AbortSignal
}

/** Asks the name servers about domains, some at a time. After an abort, `unasked` is the result of the rest. */
export async function lookUpEach<Result>(
  domains: readonly string[],
  { servers, signal }: Lookup,
  { ask, unasked }: { ask: (dns: Dns, domain: string) => Promise<Result>; unasked: Result },
): Promise<Map<string, Result>> {
  const dns = createDns(servers)
  const cancel = () => dns.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const results = new Map<string, Result>()
    await forEachConcurrently(new Set(domains), lookupsAtOnceMax, async (domain) => {
      results.set(domain, signal.aborted ? unasked : await ask(dns, domain))
    })
    return results
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** The exchanges of domains, the best first. */
export function lookUpExchanges(domains: readonly string[], lookup: Lookup): Promise<Map<string, Exchanges>> {
  return lookUpEach<Exchanges>(domains, lookup, {
    ask: (dns, domain) => dns.mx(domain),
    unasked: { kind: 'unknown', message: 'canceled' },
  })
}
