import { forEachConcurrently } from '@overture/ground/for-each-concurrently.ts'
import { withinTime } from '../../platform/clock.ts'
import { createDns } from '../../platform/mail/dns.client.ts'
import type { Answer } from './dns-answer.ts'
import { spfRecords } from './judge-spf.ts'
import { walkSpf, type SpfNames } from './spf-walk.client.ts'

/** The longest time for all queries together. */
const msMax = 10_000
const walksAtOnceMax = 8

/**
 * The addresses that may send for a domain by its SPF record. Each name is asked once. An address about which the record can't be
 * evaluated, or not in time, is left out.
 */
export async function findCoveredAddresses(
  servers: readonly string[],
  { domain, addresses }: { domain: string; addresses: readonly string[] },
): Promise<ReadonlySet<string>> {
  const covered = new Set<string>()
  if (addresses.length === 0) return covered
  await withinTime(msMax, undefined, async (signal) => {
    const names = rememberedNames(servers, signal)
    const [record, another] = spfRecords(await names.txt(domain))
    if (record === undefined || another !== undefined) return
    await forEachConcurrently(addresses, walksAtOnceMax, async (address) => {
      const walk = await walkSpf(names, { domain, record, addresses: [address] })
      if (walk.covered === true) covered.add(address)
    })
  })
  return covered
}

function rememberedNames(servers: readonly string[], signal: AbortSignal): SpfNames {
  const dns = createDns(servers)
  signal.addEventListener('abort', () => dns.cancel(), { once: true })
  const answers = new Map<string, Promise<Answer>>()
  const remember = (type: keyof SpfNames) => (name: string) => {
    const key = `${type} ${name}`
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer: Promise<Answer> = signal.aborted
      ? Promise.resolve({ kind: 'unknown', message: 'it took too long' })
      : dns[type](name)
    answers.set(key, answer)
    return answer
  }
  return { txt: remember('txt'), mx: remember('mx'), addresses: remember('addresses') }
}
